import { basename } from 'node:path/posix'
import { change, step } from '../../../core/change.ts'
import { failures, upload } from '../../../core/endpoint.ts'
import { BadRequest } from '../../../core/problem.ts'
import { created, data, list, succeeded } from '../../../core/reply.ts'
import Type from 'typebox'
import type { Caller } from '../../../core/caller.ts'
import type { Context } from '../context.ts'
import { endpoint } from '../context.ts'
import { homeFiles, hourMs } from '../endpoints/target.ts'
import { listed } from '../failures.ts'
import { uploadLimitBytes, Written } from '../model.ts'
import { childOf, nameOf, pathOf, type TextPath } from '../paths.ts'
import { checked } from './checked.ts'
import { PartFields, PartialUpload, TransferFields, UploadPath } from './model.ts'
import { ChecksumWrong, OffsetWrong, TooManyUploads, UploadSuperseded } from './problems.ts'
import { pathIn } from './path-in.ts'
import { viewOf } from './uploads.ts'
import { written } from '../endpoints/written.ts'

const throws = failures(listed, {
  conflict: [OffsetWrong, UploadSuperseded, TooManyUploads],
  checksum_mismatch: ChecksumWrong,
})

const byUpload = ({
  params,
  caller,
  filemanager,
}: { readonly params: { readonly id: number }; readonly caller: Caller } & Context) =>
  filemanager.uploads.load(params.id, caller)

export const uploadFile = endpoint({
  method: 'POST',
  path: '/upload',
  summary: 'Upload a file into a folder, or open an upload in parts',
  description:
    'multipart/form-data with the fields before the file, or the bytes alone with the fields in the query and the name as `name`. With `resumable=true` and `size_bytes` in the query and no body an upload in parts is opened: its parts go to PATCH. The answer holds `path`, `etag`, `size_bytes` and `created` of the file, or what GET upload/{id} answers of the upload.',
  effect: 'changes',
  category: homeFiles,
  body: upload(TransferFields, { maxBytes: uploadLimitBytes }),
  reply: created(Type.Union([Written, PartialUpload])),
  throws,
  timeoutMs: 6 * hourMs,
  target: ({ body, caller, filemanager }) => filemanager.findFiles(body.fields, caller),
  run: ({ target, body, filemanager, caller, now, id }) => {
    const { fields, stream } = body
    const { username } = target
    const path = childOf(pathOf(fields, 'path', ''), nameFrom(fields, body.fileName))
    const { if_match: ifMatch, overwrite, sha256, size_bytes: sizeBytes } = fields
    if (fields.resumable) {
      stream.resume()
      if (sizeBytes === undefined) throw BadRequest('size_bytes: is required with resumable')
      return filemanager.uploads.open({
        ...target,
        path,
        sizeBytes,
        sha256,
        ifMatch,
        overwrite,
        caller,
        now,
        id: id('file_uploads'),
      })
    }
    return change({
      summary: `Upload ${path.path} of ${username}`,
      steps: [
        step(
          filemanager.steps.write,
          { username, path, by: caller.user.id, ...minding(ifMatch, overwrite) },
          checked(stream, sha256),
        ),
      ],
      reply: ({ results }) => written(path, results[0]),
    })
  },
})

export const listUploads = endpoint({
  method: 'GET',
  path: '/upload',
  summary: 'List the uploads in parts that you opened and did not finish',
  effect: 'reads',
  reply: list(PartialUpload, { sort: ['-id', 'created_at', 'expires_at'], search: [] }),
  throws: listed,
  run: ({ query, caller, filemanager }) => filemanager.uploads.page(query, caller),
})

export const readUpload = endpoint({
  method: 'GET',
  path: '/upload/{id}',
  summary: 'Read how far an upload in parts has come',
  description:
    'offset_bytes is what lies on the disk, synced: the next part begins there. Only who opened an upload sees it.',
  effect: 'reads',
  params: UploadPath,
  reply: data(PartialUpload),
  throws: listed,
  target: byUpload,
  run: ({ target, filemanager }) => filemanager.uploads.show(target),
})

export const uploadPart = endpoint({
  method: 'PATCH',
  path: '/upload/{id}',
  summary: 'Send the next part of an upload; the last one gives the file its place',
  description:
    'The body is the bytes alone, of any length up to the end of the file. A part that begins elsewhere than the upload has come is refused with 409 and the true `offset_bytes`. Of a part that breaks off what arrived is kept, unless it has a `sha256`. Where all bytes are there and the file has no place yet (its folder was missing, or it changed meanwhile), an empty part at the end tries again.',
  effect: 'changes',
  category: homeFiles,
  params: UploadPath,
  body: upload(PartFields, { maxBytes: uploadLimitBytes }),
  reply: data(PartialUpload),
  throws,
  timeoutMs: 6 * hourMs,
  target: byUpload,
  run: ({ target: { row }, body: { fields, stream }, filemanager }) => {
    const { offset, sha256, overwrite = false } = fields
    const { id, username, name } = row
    if (offset > row.size_bytes)
      throw BadRequest(`offset: must be at most ${row.size_bytes}, the size of the file`)
    const args = {
      id,
      username,
      name,
      path: pathIn(row),
      offset,
      overwrite,
      ...(sha256 !== undefined && { sha256: sha256.toLowerCase() }),
    }
    return change({
      summary: `Receive ${args.path.path} of ${username} from byte ${offset} on`,
      steps: [step(filemanager.steps.uploadPart, args, stream)],
      reply: ({ results }) => {
        const now = results[0]
        return viewOf(now, now.state === 'done' ? now.size_bytes : now.firm_bytes)
      },
    })
  },
})

export const cancelUpload = endpoint({
  method: 'DELETE',
  path: '/upload/{id}',
  summary: 'Cancel an upload in parts, and remove what was received',
  description: 'An upload that is done is forgotten; its file stays.',
  effect: 'destroys',
  category: homeFiles,
  params: UploadPath,
  reply: succeeded,
  throws: listed,
  target: byUpload,
  run: ({ target, filemanager }) => filemanager.uploads.cancel(target),
})

function minding(ifMatch: string | undefined, overwrite: boolean) {
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
