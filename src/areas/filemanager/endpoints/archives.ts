import { accepted, data } from '../../../core/reply.ts'
import * as archives from '../archives.ts'
import { listed, own } from '../failures.ts'
import { CompressBody, Compressed, CompressJobBody, ExtractBody, Extracted } from '../model.ts'
import { changingFiles, hourMs } from './target.ts'

export const compressFiles = changingFiles({
  method: 'POST',
  path: '/compress',
  summary: 'Pack files and folders into an archive in the home',
  description:
    'The ending of the name says the format. Where the name is taken .1, .2 and so on is appended; the reply has the name that was used.',
  effect: 'changes',
  body: CompressBody,
  reply: data(Compressed),
  throws: own('compress_failed'),
  timeoutMs: hourMs,
  run: ({ target, body, filemanager }) => archives.compressFiles(filemanager, target, body),
})

export const startCompress = changingFiles({
  method: 'POST',
  path: '/compress/job',
  summary: 'Pack files and folders into an archive in a background job',
  description:
    'As compress, and into a folder where `dst_path` names one: there ` (2)` and so on is put before the ending of a name that is taken. The job tells how far it is and can be cancelled. Its result names the archive.',
  effect: 'changes',
  body: CompressJobBody,
  reply: accepted,
  throws: own('compress_failed'),
  run: ({ target, body, caller }) => archives.startCompress(target, body, caller),
})

export const extractArchive = changingFiles({
  method: 'POST',
  path: '/extract',
  summary: 'Unpack an archive into a folder',
  description:
    'zip, 7z, tar, tar.gz, tar.zst and tar.xz. Nothing appears before all of it was unpacked and checked. Refused: names that leave the folder, links that point out of it, devices, and archives beyond the limits.',
  effect: 'changes',
  body: ExtractBody,
  reply: data(Extracted),
  throws: listed,
  timeoutMs: hourMs,
  run: ({ target, body, caller, filemanager }) =>
    archives.extractArchive(filemanager, target, { body, caller }),
})

export const startExtract = changingFiles({
  method: 'POST',
  path: '/extract/job',
  summary: 'Unpack an archive into a folder in a background job',
  description:
    'As extract; the job tells how far it is and can be cancelled, and nothing appears before all of it was unpacked and checked.',
  effect: 'changes',
  body: ExtractBody,
  reply: accepted,
  throws: listed,
  run: ({ target, body, caller }) => archives.startExtract(target, body, caller),
})
