import type { Static } from 'typebox'
import { change, type JobDraft, step } from '../../../core/change.ts'
import { BadRequest } from '../../../core/problem.ts'
import type { Caller } from '../../../core/caller.ts'
import { accepted, data } from '../../../core/reply.ts'
import { archiveEndings, formatOf, pathBytes, visible } from '../../../host/owner/index.ts'
import { previewCompress, previewExtract } from '../archive-jobs.ts'
import { endpoint } from '../context.ts'
import { listed, own } from '../failures.ts'
import { compressKind, extractKind } from '../job-kinds.ts'
import { CompressBody, Compressed, CompressJobBody, ExtractBody, Extracted } from '../model.ts'
import { namesOf, pathOf, pathsOf } from '../paths.ts'
import { byBody, homeFiles, hourMs } from './target.ts'
import { extractionLock } from '../locks.ts'

type CompressFields = Static<typeof CompressBody>
type ExtractFields = Static<typeof ExtractBody>

export const compressFiles = endpoint({
  method: 'POST',
  path: '/compress',
  summary: 'Pack files and folders into an archive in the home',
  description:
    'The ending of the name says the format. Where the name is taken .1, .2 and so on is appended; the reply has the name that was used.',
  effect: 'changes',
  category: homeFiles,
  body: CompressBody,
  reply: data(Compressed),
  throws: own('compress_failed'),
  timeoutMs: hourMs,
  target: byBody,
  run: ({ target: { username }, body, filemanager }) => {
    const args = compressArgs(username, body)
    return change({
      summary: compressTitle(args),
      steps: [step(filemanager.steps.compress, args)],
      reply: ({ results }) => {
        const { archive: used, bytes: size_bytes } = results[0]
        return { archive: used, size_bytes }
      },
    })
  },
})

export const startCompress = endpoint({
  method: 'POST',
  path: '/compress/job',
  summary: 'Pack files and folders into an archive in a background job',
  description:
    'As compress, and into a folder where `dst_path` names one: there ` (2)` and so on is put before the ending of a name that is taken. The job tells how far it is and can be cancelled. Its result names the archive.',
  effect: 'changes',
  category: homeFiles,
  body: CompressJobBody,
  reply: accepted,
  throws: own('compress_failed'),
  target: byBody,
  run: ({ target: { username, owner }, body, caller }) => {
    const args = compressArgs(username, body)
    const given = pathOf(body, 'dst_path', '')
    const folder = given.path === '' ? undefined : given
    const preview = () => previewCompress(owner, args.paths, args.archive, folder)
    return begun(
      {
        kind: compressKind,
        title: compressTitle(args),
        input: { ...args, ...(folder && { folder }) },
        preview,
      },
      caller,
    )
  },
})

export const extractArchive = endpoint({
  method: 'POST',
  path: '/extract',
  summary: 'Unpack an archive into a folder',
  description:
    'zip, 7z, tar, tar.gz, tar.zst and tar.xz. Nothing appears before all of it was unpacked and checked. Refused: names that leave the folder, links that point out of it, devices, and archives beyond the limits.',
  effect: 'changes',
  category: homeFiles,
  body: ExtractBody,
  reply: data(Extracted),
  throws: listed,
  timeoutMs: hourMs,
  target: byBody,
  run: ({ target: { username }, body, caller, filemanager }) => {
    const args = extractArgs(username, body, caller)
    return change({
      summary: extractTitle(args),
      locks: [extractionLock(username, args.dest.path)],
      steps: [step(filemanager.steps.extract, args)],
      reply: ({ results }) => results[0],
    })
  },
})

export const startExtract = endpoint({
  method: 'POST',
  path: '/extract/job',
  summary: 'Unpack an archive into a folder in a background job',
  description:
    'As extract; the job tells how far it is and can be cancelled, and nothing appears before all of it was unpacked and checked.',
  effect: 'changes',
  category: homeFiles,
  body: ExtractBody,
  reply: accepted,
  throws: listed,
  target: byBody,
  run: ({ target: { username, owner }, body, caller }) => {
    const args = extractArgs(username, body, caller)
    const preview = () => previewExtract(owner, args.archive, args.dest)
    return begun({ kind: extractKind, title: extractTitle(args), input: args, preview }, caller)
  },
})

function compressArgs(username: string, body: CompressFields) {
  const paths = pathsOf(body, 'paths')
  const archive = body.archive_name
  if (formatOf(archive) === undefined)
    throw BadRequest(`archive_name: ${visible(archive)} must end in ${archiveEndings.join(', ')}`)
  pathBytes({ field: 'archive_name', path: archive }) // refuses names reserved for the panel
  return { username, paths, archive }
}

function compressTitle({ username, paths, archive }: ReturnType<typeof compressArgs>): string {
  return `Pack ${namesOf(paths)} of ${username} into ${archive}`
}

function extractArgs(username: string, body: ExtractFields, caller: Caller) {
  return {
    username,
    archive: pathOf(body, 'archive_path'),
    dest: pathOf(body, 'dst_path'),
    by: caller.user.id,
  }
}

function extractTitle({ username, archive, dest }: ReturnType<typeof extractArgs>): string {
  return `Unpack ${archive.path} of ${username} into ${dest.path || 'the home'}`
}

function begun(draft: Omit<JobDraft, 'ownerId'>, caller: Caller) {
  return change({
    summary: draft.title,
    jobs: [{ ...draft, ownerId: caller.user.id, title: draft.title.slice(0, 200).toWellFormed() }],
    reply: ({ jobIds }) => ({ job_id: jobIds[0] ?? 0 }),
  })
}
