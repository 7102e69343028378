import { accepted, awaited, data } from '../../../core/reply.ts'
import { compressing, extracting } from '../archive-work.ts'
import * as archives from '../archives.ts'
import { listed, own } from '../failures.ts'
import { ArchiveListing, CompressBody, CompressJobBody, ExtractBody, PathQuery } from '../model.ts'
import { changingFiles, readingFiles } from './target.ts'

export const compressFiles = changingFiles({
  method: 'POST',
  path: '/compress',
  summary: 'Pack files and folders into an archive in the home',
  description:
    'The ending of the name says the format. Where the name is taken .1, .2 and so on is appended; the reply has the name that was used.',
  effect: 'changes',
  body: CompressBody,
  reply: awaited(compressing, { status: 200, shape: 'data' }),
  throws: own('compress_failed'),
  run: ({ target, body }) => archives.filesToPack(target, body),
})

export const startCompress = changingFiles({
  method: 'POST',
  path: '/compress/job',
  summary: 'Pack files and folders into an archive in a background job',
  description:
    'As compress, and into a folder where `dst_path` names one: there ` (2)` and so on is put before the ending of a name that is taken. The job tells how far it is and can be cancelled. Its result names the archive.',
  effect: 'changes',
  body: CompressJobBody,
  reply: accepted(compressing),
  throws: own('compress_failed'),
  run: ({ target, body }) => archives.filesToPackInto(target, body),
})

export const listArchive = readingFiles({
  method: 'GET',
  path: '/archive',
  summary: 'List the entries of an archive',
  description:
    'Nothing is unpacked. The first 5000 entries are named, all are counted. `cut_by` says why reading ended early: the rest would be refused by extract, or reading it takes more than ten seconds.',
  effect: 'reads',
  query: PathQuery,
  reply: data(ArchiveListing),
  run: ({ target, query, signal }) => archives.listArchive(target, query, signal),
})

export const extractArchive = changingFiles({
  method: 'POST',
  path: '/extract',
  summary: 'Unpack an archive into a folder',
  description:
    'zip, 7z, tar, tar.gz, tar.zst and tar.xz. Nothing appears before all of it was unpacked and checked. Refused: names that leave the folder, links that point out of it, devices, and archives beyond the limits.',
  effect: 'changes',
  body: ExtractBody,
  reply: awaited(extracting, { status: 200, shape: 'data' }),
  throws: listed,
  run: ({ target, body, caller }) => archives.archiveToUnpack(target, body, caller),
})

export const startExtract = changingFiles({
  method: 'POST',
  path: '/extract/job',
  summary: 'Unpack an archive into a folder in a background job',
  description:
    'As extract; the job tells how far it is and can be cancelled, and nothing appears before all of it was unpacked and checked.',
  effect: 'changes',
  body: ExtractBody,
  reply: accepted(extracting),
  throws: listed,
  run: ({ target, body, caller }) => archives.archiveToUnpack(target, body, caller),
})
