import { change, step } from '../../../core/change.ts'
import type { Caller } from '../../../core/caller.ts'
import type { Log } from '../../../core/endpoint.ts'
import { NotFound } from '../../../core/problem.ts'
import type { ListQuery } from '../../../core/reply.ts'
import { success } from '../../../core/reply.ts'
import { ownerProblems, type Owner } from '../../../host/owner/index.ts'
import type { Store } from '../../../store/store.ts'
import { deleteRow, insertRow } from '../../../store/rows.ts'
import type { HistoryRecorder } from '../history/history-recorder.ts'
import { pathFields, type TextPath } from '../paths.ts'
import { found, type OwnerOf, type WriteResult } from '../steps/files.ts'
import type { Files, Naming } from '../named-files.ts'
import { partSizeOf, type PartialUpload } from './model.ts'
import { TooManyUploads } from './problems.ts'
import { uploadQueries, type UploadRow } from './store.ts'
import { removeExpired } from './expiry.ts'
import { pathIn } from './path-in.ts'
import { idleMs, uploadSteps } from './steps.ts'
import { UploadTakeover } from './upload-takeover.ts'
import { uploadsLock } from '../locks.ts'

const mostOpen = 100

interface Parts {
  readonly store: Store
  readonly findFiles: (naming: Naming, caller: Caller) => Promise<Files>
  readonly ownerOf: OwnerOf
  readonly recorder: HistoryRecorder
  readonly log: Log
}

/** An upload with the owner of its files. */
export interface LoadedUpload extends Files {
  readonly row: UploadRow
}

interface Opening extends Files {
  readonly path: TextPath
  readonly sizeBytes: number
  readonly sha256: string | undefined
  readonly ifMatch: string | undefined
  readonly overwrite: boolean
  readonly caller: Caller
  readonly now: Date
  readonly id: number
}

/** Opens the uploads in parts (decision 4.14). */
export function openUploads({ store, findFiles, ownerOf, recorder, log }: Parts) {
  const queries = uploadQueries(store)
  const takeover = new UploadTakeover()
  const steps = uploadSteps({ ownerOf, queries, takeover, recorder })
  return {
    steps,
    load: async (id: number, caller: Caller): Promise<LoadedUpload> => {
      const row = await queries.byId(id)
      if (row === undefined || row.user_id !== caller.user.id) throw NotFound(`id: there is no upload ${id}`)
      return { row, ...(await findFiles({ username: row.username }, caller)) }
    },
    page: async (query: ListQuery, caller: Caller) => {
      const { items, total } = await queries.page(query, caller.user.id)
      // an unavailable account must not prevent listing the others
      const shown = items.map(async (row) =>
        show(row, await ownerOf(row.username)).catch(() => viewOf(row, 0)),
      )
      return { items: await Promise.all(shown), total }
    },
    show: ({ row, owner }: LoadedUpload) => show(row, owner),
    open: async (opening: Opening) => {
      await refuseOpening(opening, await queries.countOpen(opening.username))
      const row = rowOf(opening)
      return change({
        summary: `Open an upload of ${row.size_bytes} bytes to ${opening.path.path} of ${opening.username}`,
        locks: [uploadsLock(opening.username)],
        steps: [
          step(steps.openUpload, {
            username: row.username,
            name: row.name,
            path: opening.path,
            sizeBytes: row.size_bytes,
          }),
        ],
        rows: [insertRow('file_uploads', row)],
        reply: viewOf(row, 0),
      })
    },
    cancel: ({ row }: LoadedUpload) =>
      change({
        summary: `Cancel the upload of ${pathIn(row).path} of ${row.username}`,
        steps: [
          step(steps.cancelUpload, { id: row.id, username: row.username, name: row.name, path: pathIn(row) }),
        ],
        rows: [deleteRow('file_uploads', { id: row.id })],
        reply: success,
      }),
    removeExpired: (now = store.trustedNow()) => removeExpired({ queries, takeover, ownerOf, log }, now),
  }
}

/** Throws every problem that is known before the first byte is sent. */
async function refuseOpening(
  { owner, username, path, ifMatch, overwrite }: Opening,
  open: number,
): Promise<void> {
  if (open >= mostOpen)
    throw TooManyUploads(`username: ${open} uploads of ${username} are open; finish or cancel one of them`)
  const existing = await found(owner, path)
  if (existing?.type === 'folder') throw ownerProblems.IsAFolder(`${path.field}: ${path.path} is a folder`)
  if (existing !== undefined && !overwrite)
    throw ownerProblems.AlreadyThere(`${path.field}: ${path.path} already exists`)
  if (ifMatch !== undefined && existing?.etag !== ifMatch)
    throw ownerProblems.FileChanged(`if_match: ${path.path} has changed`)
  const folder = path.path.replace(/\/*[^/]+\/*$/, '')
  if (existing === undefined && (await owner.stat({ ...path, path: folder })).type === 'file')
    throw ownerProblems.NotAFolder(`${path.field}: ${folder} is not a folder`)
  await owner.preview((one) => one.uploads.of('previewed', path).place({ ifAbsent: !overwrite })) // a folder that cannot take a file now could not take it at the end
}

function rowOf({
  id,
  caller,
  username,
  path,
  sizeBytes,
  sha256,
  ifMatch,
  overwrite,
  now,
}: Opening): UploadRow {
  return {
    id,
    user_id: caller.user.id,
    username,
    name: `${id}-${now.getTime().toString(36)}`, // after a restore of the store from a backup, an id alone could match older parts
    path: JSON.stringify(path.path),
    size_bytes: sizeBytes,
    sha256: sha256?.toLowerCase() ?? null,
    if_match: ifMatch ?? null,
    overwrite: overwrite ? 1 : 0,
    state: 'open',
    firm_bytes: 0,
    sealed_etag: null,
    file: null,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + idleMs).toISOString(),
  }
}

async function show(row: UploadRow, owner: Owner): Promise<PartialUpload> {
  return viewOf(
    row,
    row.state === 'done' ? row.size_bytes : await owner.uploads.of(row.name, pathIn(row)).size(),
  )
}

/** Shows an upload in a reply. The owner can write to the hidden file: if it exceeds the announced size, its content counts as nothing. */
export function viewOf(row: UploadRow, onDisk: number): PartialUpload {
  const { id, username, size_bytes, state, created_at, expires_at } = row
  const path = pathFields(pathIn(row).path)
  return {
    id,
    username,
    ...path,
    size_bytes,
    offset_bytes: onDisk > size_bytes ? 0 : onDisk,
    part_size_bytes: partSizeOf(size_bytes),
    state,
    created_at,
    expires_at,
    ...(row.file !== null && { file: { ...path, ...fileOf(JSON.parse(row.file)) } }),
  }
}

function fileOf({ etag, size, created }: WriteResult) {
  return { etag, size_bytes: size, created }
}
