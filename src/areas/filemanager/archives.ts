import type { Static } from 'typebox'
import { change, type JobDraft, step } from '../../core/change.ts'
import { BadRequest } from '../../core/problem.ts'
import type { Caller } from '../../core/caller.ts'
import { archiveEndings, formatOf, pathBytes, visible } from '../../host/owner/index.ts'
import { previewCompress, previewExtract } from './archive-jobs.ts'
import type { Filemanager } from './context.ts'
import { compressKind, extractKind } from './job-kinds.ts'
import { extractionLock } from './locks.ts'
import type { CompressBody, CompressJobBody, ExtractBody } from './model.ts'
import type { Files } from './named-files.ts'
import { namesOf, pathOf, pathsOf } from './paths.ts'

type CompressFields = Static<typeof CompressBody>
type ExtractFields = Static<typeof ExtractBody>

/** Packs files and folders into an archive in the home. */
export function compressFiles({ steps }: Filemanager, { username }: Files, body: CompressFields) {
  const args = compressArgs(username, body)
  return change({
    summary: compressTitle(args),
    steps: [step(steps.compress, args)],
    reply: ({ results }) => {
      const { archive: used, bytes: size_bytes } = results[0]
      return { archive: used, size_bytes }
    },
  })
}

/** Starts the job that packs files and folders, into a folder if one is named. */
export function startCompress(
  { username, owner }: Files,
  body: Static<typeof CompressJobBody>,
  caller: Caller,
) {
  const args = compressArgs(username, body)
  const given = pathOf(body, 'dst_path', '')
  const folder = given.path === '' ? undefined : given
  const preview = () => previewCompress(owner, args.paths, args.archive, folder)
  const input = { ...args, ...(folder && { folder }) }
  return begun({ kind: compressKind, title: compressTitle(args), input, preview }, caller)
}

/** Unpacks an archive into a folder. */
export function extractArchive(
  { steps }: Filemanager,
  { username }: Files,
  { body, caller }: { readonly body: ExtractFields; readonly caller: Caller },
) {
  const args = extractArgs(username, body, caller)
  return change({
    summary: extractTitle(args),
    locks: [extractionLock(username, args.dest.path)],
    steps: [step(steps.extract, args)],
    reply: ({ results }) => results[0],
  })
}

/** Starts the job that unpacks an archive. */
export function startExtract({ username, owner }: Files, body: ExtractFields, caller: Caller) {
  const args = extractArgs(username, body, caller)
  const preview = () => previewExtract(owner, args.archive, args.dest)
  return begun({ kind: extractKind, title: extractTitle(args), input: args, preview }, caller)
}

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
