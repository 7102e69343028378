import Type, { type Static } from 'typebox'
import { Id, OneOf, Optional, Prose, Text, Time } from '../../../core/schemas.ts'
import { Etag, pathField, readLimitBytes, ownerFields } from '../model.ts'

/** What replaces a file through the panel. */
const Through = OneOf(['write', 'upload', 'restore', 'move', 'copy', 'extract'])

const Who = Type.Object({
  id: Id,
  email: Text(254),
})

/** One content that a file had until something in the panel replaced it. */
export const Version = Type.Object({
  id: Id,
  path: Prose(8192, { description: 'Where the file stands; moved with it where the panel moved it' }),
  path_b64: Optional(
    Type.String({ maxLength: 8192, description: 'The bytes of a path that is not UTF-8, in base64' }),
  ),
  size_bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
    description: 'Of the content; null where it was not kept',
  }),
  is_kept: Type.Boolean({ description: 'Whether its content can be read and restored' }),
  not_kept: Optional(OneOf(['too_large', 'unreadable', 'no_room'], { description: 'Why it was not kept' })),
  written_at: Type.Unsafe<string>({ ...Time, description: 'When the file got this content' }),
  written_by: Type.Union([Who, Type.Null()], {
    description: 'Who gave it this content; null where that was outside of the panel',
  }),
  written_through: Type.Union([Through, Type.Null()], {
    description: 'How it got this content; null where that was outside of the panel',
  }),
  replaced_at: Type.Unsafe<string>({ ...Time, description: 'Until when it had this content' }),
  replaced_by: Type.Union([Who, Type.Null()]),
  replaced_through: Through,
})
export type Version = Static<typeof Version>

export const HistoryQuery = Type.Object({ ...ownerFields, ...pathField('path') })

export const HistoryAllQuery = Type.Object({ ...ownerFields })

const versionId = Type.Unsafe<number>({ ...Id, description: 'Id of the version' })

export const VersionQuery = Type.Object({ ...ownerFields, id: versionId })

export const VersionContentQuery = Type.Object({
  ...ownerFields,
  id: versionId,
  start: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'First byte',
    expects: 'a position from 0',
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: readLimitBytes,
    default: 1024 * 1024,
    description: 'At most so many bytes',
    expects: `a number of bytes from 1 to ${readLimitBytes}`,
  }),
})

export const DiffQuery = Type.Object({
  ...ownerFields,
  from: Type.Unsafe<number>({ ...Id, description: 'Id of the older version' }),
  to: Optional(
    Type.Unsafe<number>({
      ...Id,
      description: 'Id of the newer version; the file as it is now where absent',
    }),
  ),
})

export const VersionDiff = Type.Object({
  diff: Prose(2 * 1024 * 1024, {
    description:
      'Unified diff with three lines around each change; empty where both are equal or one is binary',
  }),
  is_binary: Type.Boolean({ description: 'Whether one of the two is no text' }),
  is_equal: Type.Boolean(),
  is_cut: Type.Boolean({ description: 'Whether the diff goes on after what is here' }),
  from_size_bytes: Type.Integer({ minimum: 0 }),
  to_size_bytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'null where the file is not there any more',
  }),
})

export const RestoreVersionBody = Type.Object({
  ...ownerFields,
  id: versionId,
  if_match: Optional(
    Type.Unsafe<string>({ ...Etag, description: 'Restores only over the file of this etag' }),
  ),
})

export const ClearBody = Type.Object({
  ...ownerFields,
  ...pathField('path', 'File or folder whose history is cleared, with all below it'),
  all: Type.Boolean({
    default: false,
    description: 'Clears the whole history of the user; in place of a path',
  }),
})

export const Cleared = Type.Object({
  versions: Type.Integer({ minimum: 0, description: 'Versions removed' }),
  freed_bytes: Type.Integer({ minimum: 0, description: 'Room on the disk that this gave back' }),
})
