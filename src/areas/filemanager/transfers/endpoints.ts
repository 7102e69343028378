import { failures, upload } from '../../../core/endpoint.ts'
import { created, data, list, succeeded } from '../../../core/reply.ts'
import Type from 'typebox'
import type { Caller } from '../../../core/caller.ts'
import type { Context } from '../context.ts'
import { endpoint } from '../context.ts'
import { homeFiles, hourMs } from '../endpoints/target.ts'
import { listed } from '../failures.ts'
import { uploadLimitBytes, Written } from '../model.ts'
import { findNamedFiles } from '../named-files.ts'
import { PartFields, PartialUpload, TransferFields, UploadPath } from './model.ts'
import { ChecksumWrong, OffsetWrong, TooManyUploads, UploadSuperseded } from './problems.ts'
import * as uploads from './uploads.ts'

const notReceived = {
  conflict: [OffsetWrong, UploadSuperseded, TooManyUploads],
  checksum_mismatch: ChecksumWrong,
}

const byUpload = ({
  params,
  caller,
  filemanager,
}: { readonly params: { readonly id: number }; readonly caller: Caller } & Context) =>
  uploads.loadUpload(filemanager, params.id, caller)

const onUpload = endpoint.with({ params: UploadPath, throws: listed, target: byUpload })

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
  throws: failures(listed, notReceived),
  timeoutMs: 6 * hourMs,
  target: ({ body, caller, filemanager }) => findNamedFiles(filemanager, body.fields, caller),
  run: ({ target, body, caller, now, id, filemanager }) =>
    uploads.uploadFile(filemanager, target, { body, caller, now, id }),
})

export const listUploads = endpoint({
  method: 'GET',
  path: '/upload',
  summary: 'List the uploads in parts that you opened and did not finish',
  effect: 'reads',
  reply: list(PartialUpload, { sort: ['-id', 'created_at', 'expires_at'], search: [] }),
  throws: listed,
  run: ({ query, caller, filemanager }) => uploads.listUploads(filemanager, query, caller),
})

export const readUpload = onUpload({
  method: 'GET',
  path: '/upload/{id}',
  summary: 'Read how far an upload in parts has come',
  description:
    'offset_bytes is what lies on the disk, synced: the next part begins there. Only who opened an upload sees it.',
  effect: 'reads',
  reply: data(PartialUpload),
  run: ({ target }) => uploads.readUpload(target),
})

export const uploadPart = onUpload({
  method: 'PATCH',
  path: '/upload/{id}',
  summary: 'Send the next part of an upload; the last one gives the file its place',
  description:
    'The body is the bytes alone, of any length up to the end of the file. A part that begins elsewhere than the upload has come is refused with 409 and the true `offset_bytes`. Of a part that breaks off what arrived is kept, unless it has a `sha256`. Where all bytes are there and the file has no place yet (its folder was missing, or it changed meanwhile), an empty part at the end tries again.',
  effect: 'changes',
  category: homeFiles,
  body: upload(PartFields, { maxBytes: uploadLimitBytes }),
  reply: data(PartialUpload),
  throws: notReceived,
  timeoutMs: 6 * hourMs,
  run: ({ target, body, filemanager }) => uploads.uploadPart(filemanager, target, body),
})

export const cancelUpload = onUpload({
  method: 'DELETE',
  path: '/upload/{id}',
  summary: 'Cancel an upload in parts, and remove what was received',
  description: 'An upload that is done is forgotten; its file stays.',
  effect: 'destroys',
  category: homeFiles,
  reply: succeeded,
  run: ({ target, filemanager }) => uploads.cancelUpload(filemanager, target),
})
