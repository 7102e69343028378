import { basename } from 'node:path/posix'
import type { Static } from 'typebox'
import { type Change, change, step } from '../../../core/change.ts'
import type { Caller } from '../../../core/caller.ts'
import type { Upload } from '../../../core/endpoint.ts'
import { BadRequest, NotFound } from '../../../core/problem.ts'
import type { ListQuery } from '../../../core/reply.ts'
import { success } from '../../../core/reply.ts'
import { ownerProblems, type Owner } from '../../../host/owner/index.ts'
import { deleteRow, insertRow } from '../../../store/rows.ts'
import type { Filemanager } from '../context.ts'
import { written } from '../endpoints/written.ts'
import { uploadsLock } from '../locks.ts'
import type { Written } from '../model.ts'
import { type Files, findNamedFiles } from '../named-files.ts'
import { childOf, nameOf, pathFields, pathOf, type TextPath } from '../paths.ts'
import { found, type WriteResult } from '../steps/files.ts'
import { checked } from './checked.ts'
import { type PartFields, partSizeOf, type PartialUpload, type TransferFields } from './model.ts'
import { pathIn } from './path-in.ts'
import { TooManyUploads } from './problems.ts'
import { idleMs } from './steps.ts'
import type { UploadRow } from './store.ts'

const mostOpen = 100

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

/** Loads an upload in parts; only the panel user who opened it finds it. */
export async function loadUpload(on: Filemanager, id: number, caller: Caller): Promise<LoadedUpload> {
  const row = await on.uploads.byId(id)
  if (row === undefined || row.user_id !== caller.user.id) throw NotFound(`id: there is no upload ${id}`)
  return { row, ...(await findNamedFiles(on, { username: row.username }, caller)) }
}

/** Lists the unfinished uploads of the caller. */
export async function listUploads({ uploads, ownerOf }: Filemanager, query: ListQuery, caller: Caller) {
  const { items, total } = await uploads.page(query, caller.user.id)
  // an unavailable account must not prevent listing the others
  const shown = items.map(async (row) => show(row, await ownerOf(row.username)).catch(() => viewOf(row, 0)))
  return { items: await Promise.all(shown), total }
}

/** Returns how far an upload has come. */
export const readUpload = ({ row, owner }: LoadedUpload): Promise<PartialUpload> => show(row, owner)

/** The whole of a file for a folder, or the opening of an upload in parts. */
interface Uploading {
  readonly body: Upload<Static<typeof TransferFields>>
  readonly caller: Caller
  readonly now: Date
  readonly id: (table: string) => number
}

/** Stores the sent file, or opens an upload in parts if the fields ask for one (decision 4.14). */
export async function uploadFile(
  on: Filemanager,
  files: Files,
  { body: { fields, fileName, stream }, caller, now, id }: Uploading,
): Promise<Change<Static<typeof Written> | PartialUpload>> {
  const { username } = files
  const path = childOf(pathOf(fields, 'path', ''), nameFrom(fields, fileName))
  const { if_match: ifMatch, overwrite, sha256, size_bytes: sizeBytes } = fields
  if (fields.resumable) {
    stream.resume()
    if (sizeBytes === undefined) throw BadRequest('size_bytes: is required with resumable')
    const asked = { path, sizeBytes, sha256, ifMatch, overwrite }
    return openUpload(on, { ...files, ...asked, caller, now, id: id('file_uploads') })
  }
  const args = { username, path, by: caller.user.id, ...conditionsOf(ifMatch, overwrite) }
  return change({
    summary: `Upload ${path.path} of ${username}`,
    steps: [step(on.steps.write, args, checked(stream, sha256))],
    reply: ({ results }) => written(path, results[0]),
  })
}

async function openUpload(on: Filemanager, opening: Opening): Promise<Change<PartialUpload>> {
  await refuseOpening(opening, await on.uploads.countOpen(opening.username))
  const row = rowOf(opening)
  const { username, name, size_bytes: sizeBytes } = row
  return change({
    summary: `Open an upload of ${sizeBytes} bytes to ${opening.path.path} of ${username}`,
    locks: [uploadsLock(username)],
    isRecorded: () => false, // the last part has the entry of the upload
    steps: [step(on.steps.openUpload, { username, name, path: opening.path, sizeBytes })],
    rows: [insertRow('file_uploads', row)],
    reply: viewOf(row, 0),
  })
}

/** Receives the next part of an upload; the last one moves the file to its destination. */
export function uploadPart(
  { steps }: Filemanager,
  { row }: LoadedUpload,
  { fields, stream }: Upload<Static<typeof PartFields>>,
): Change<PartialUpload> {
  const { offset, sha256, overwrite = false } = fields
  const { id, username, name } = row
  if (offset > row.size_bytes)
    throw BadRequest(`offset: must be at most ${row.size_bytes}, the size of the file`)
  const path = pathIn(row)
  const checksum = sha256 !== undefined && { sha256: sha256.toLowerCase() }
  const args = { id, username, name, path, offset, overwrite, ...checksum }
  return change({
    summary: `Upload ${path.path} of ${username}`,
    steps: [step(steps.uploadPart, args, stream)],
    isRecorded: ([{ state }]) => state === 'done',
    reply: ({ results }) => {
      const now = results[0]
      return viewOf(now, now.state === 'done' ? now.size_bytes : now.firm_bytes)
    },
  })
}

/** Cancels an upload and removes what was received. */
export function cancelUpload({ steps }: Filemanager, { row }: LoadedUpload): Change<typeof success> {
  const { id, username, name } = row
  const path = pathIn(row)
  return change({
    summary: `Cancel the upload of ${path.path} of ${username}`,
    steps: [step(steps.cancelUpload, { id, username, name, path })],
    rows: [deleteRow('file_uploads', { id })],
    reply: success,
  })
}

function conditionsOf(ifMatch: string | undefined, overwrite: boolean) {
  return { ...(ifMatch !== undefined && { ifMatch }), ...(!overwrite && { ifAbsent: true }) }
}

/** Returns the last component, because a browser may send a whole path as the file name. */
function nameFrom(
  fields: { readonly name?: string; readonly name_b64?: string },
  fileName: string | undefined,
): TextPath {
  if (fields.name !== undefined || fields.name_b64 !== undefined) return nameOf(fields, 'name')
  const name = basename((fileName ?? '').replaceAll('\\', '/'))
  if (name === '' || name === '.' || name === '..' || name.includes('\0'))
    throw BadRequest('name: is required, because the file was sent without a name')
  return { field: 'name', path: name }
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
