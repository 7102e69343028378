import Type from 'typebox'
import { problem } from '../../../core/problem.ts'

const Offset = Type.Object({
  offset_bytes: Type.Integer({ description: 'The byte with which the next part begins' }),
})
export const OffsetWrong = problem('conflict', 409, 'The upload goes on from another byte', {
  fields: Offset,
})
export const UploadSuperseded = problem('conflict', 409, 'Another request took this upload over')
export const TooManyUploads = problem('conflict', 409, 'Too many uploads are open')
export const ChecksumWrong = problem(
  'checksum_mismatch',
  422,
  'The bytes do not have the checksum that was sent',
  { fields: Offset },
)
export const TooManyDownloads = problem('conflict', 409, 'Too many downloads are waiting')
export const UserLookupFailed = problem(
  'user_error',
  500,
  'The account whose files are meant could not be looked up',
)
export const DownloadRefused = problem('forbidden', 403, 'Who asked for the download may not do so any more')
