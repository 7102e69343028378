import Type from 'typebox'
import { problem } from '../../../core/problem.ts'

const Offset = Type.Object({
  offset_bytes: Type.Integer({ description: 'The byte with which the next part begins' }),
})
export const OffsetWrong = problem('conflict', 409, 'The upload continues at a different offset', {
  fields: Offset,
})
export const UploadSuperseded = problem('conflict', 409, 'Another request has taken over this upload')
export const TooManyUploads = problem('conflict', 409, 'Too many uploads are open')
export const ChecksumWrong = problem(
  'checksum_mismatch',
  422,
  'The checksum does not match the received bytes',
  { fields: Offset },
)
export const TooManyDownloads = problem('conflict', 409, 'Too many downloads are waiting')
export const UserLookupFailed = problem('user_error', 500, 'The owner of the files could not be looked up')
