import Type, { type Static } from 'typebox'
import { Id, OneOf, Optional, Time } from '../../../core/schemas.ts'
import { HomePath, pathField, UploadFields, ownerFields, uploadLimitBytes, Written } from '../model.ts'

const Sha256 = Type.String({
  maxLength: 64,
  pattern: '^[0-9a-fA-F]{64}$',
  description: 'SHA-256 in hexadecimal',
  expects: 'a SHA-256 of 64 hexadecimal digits',
})

const SizeBytes = Type.Integer({
  minimum: 0,
  maximum: uploadLimitBytes,
  expects: `a number of bytes from 0 to ${uploadLimitBytes}`,
})

/** The fields sent with a file, or to open an upload in parts. */
export const TransferFields = Type.Object({
  ...UploadFields.properties,
  sha256: Optional(
    Type.Unsafe<string>({
      ...Sha256,
      description: 'SHA-256 of the whole file in hexadecimal: with another nothing is stored',
    }),
  ),
  resumable: Type.Boolean({
    default: false,
    description: 'Open an upload in parts instead; the request has no file then',
  }),
  size_bytes: Optional(
    Type.Unsafe<number>({ ...SizeBytes, description: 'How large the file is; required with resumable' }),
  ),
})

export const UploadPath = Type.Object({ id: Id })

/** The fields sent with a part. */
export const PartFields = Type.Object({
  offset: Type.Unsafe<number>({
    ...SizeBytes,
    description: 'First byte of the part: how many were received before it; also as the header Upload-Offset',
    'x-header': 'upload-offset',
  }),
  sha256: Optional(
    Type.Unsafe<string>({
      ...Sha256,
      description: 'SHA-256 of this part: with another all of it is dropped',
    }),
  ),
  overwrite: Optional(
    Type.Boolean({
      description:
        'true replaces whatever stands at the path by now, in spite of if_match and overwrite of the opening',
    }),
  ),
})

export const PartialUpload = Type.Object({
  id: Id,
  username: Type.String({ maxLength: 64, description: 'Linux account into whose home it goes' }),
  path: HomePath,
  path_b64: Optional(
    Type.String({ maxLength: 8000, description: 'The bytes of a path that is not UTF-8, in base64' }),
  ),
  size_bytes: Type.Integer({ minimum: 0, description: 'Of the whole file' }),
  offset_bytes: Type.Integer({
    minimum: 0,
    description: 'How many bytes lie on the disk: where the next part begins',
  }),
  part_size_bytes: Type.Integer({
    minimum: 1,
    description: 'A good size for a part; any other is taken too',
  }),
  state: OneOf(['open', 'done'], { description: 'done: the file has its place' }),
  created_at: Time,
  expires_at: Type.Unsafe<string>({
    ...Time,
    description: 'When it is forgotten, unless a part comes before',
  }),
  file: Optional(Written),
})
export type PartialUpload = Static<typeof PartialUpload>

export const DownloadBody = Type.Object({
  ...ownerFields,
  ...pathField('path'),
  path: Type.Unsafe<string>({
    ...HomePath,
    default: '',
    description: 'Folder it goes into; the home where it is absent, empty or .',
  }),
  url: Type.String({
    minLength: 1,
    maxLength: 8192,
    description: 'http or https, without credentials; its query may hold tokens and is never shown',
    expects: 'a URL of 1 to 8192 characters',
    'x-secret': true,
  }),
})

export const Downloaded = Type.Object({
  file: Type.Unsafe<string>({ ...HomePath, description: 'Path of the file in the home' }),
  size_bytes: Type.Integer({ minimum: 0 }),
})

/** Part size: 16 MiB, or larger so that no file has more than 1,000 parts. */
export function partSizeOf(sizeBytes: number): number {
  const mebibyte = 1024 * 1024
  return Math.max(16, Math.ceil(sizeBytes / 1000 / mebibyte)) * mebibyte
}
