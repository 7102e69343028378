import Type from 'typebox'
import { compiled } from '../../core/compiled.ts'

// The helper's replies are controlled by the owner: nothing is used before it has been checked here.
const closed = { additionalProperties: false }
const Bytes = (max: number) => Type.String({ maxLength: max, pattern: '^[\\u0001-\\u00ff]*$' })
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Etag = Type.String({ maxLength: 80, pattern: '^[0-9a-z-]+$' })
const row = {
  name: Type.String({ maxLength: 255, pattern: '^[\\u0001-\\u002e\\u0030-\\u00ff]*$' }),
  type: Type.Union([
    Type.Literal('file'),
    Type.Literal('folder'),
    Type.Literal('link'),
    Type.Literal('other'),
  ]),
  size: Count,
  mode: Type.Integer({ minimum: 0, maximum: 0o7777 }),
  uid: Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 }),
  gid: Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 }),
  mtimeMs: Type.Integer({ minimum: -8.64e15, maximum: 8.64e15 }),
  locked: Type.Boolean(),
  target: Type.Optional(Bytes(4096)),
}
const Stat = Type.Object({ ...row, etag: Etag }, closed)
const TrashRow = Type.Object(
  {
    id: Type.String({ maxLength: 60, pattern: '^[a-z0-9-]+$' }),
    path: Bytes(4096),
    type: row.type,
    size: Count,
    deletedMs: row.mtimeMs,
  },
  closed,
)
const FoundRow = Type.Object(
  {
    path: Bytes(5000),
    type: row.type,
    line: Type.Optional(Count),
    text: Type.Optional(Type.String({ maxLength: 400 })),
  },
  closed,
)
const Note = Type.Object({ entries: Count, bytes: Count, readBytes: Count, archiveBytes: Count }, closed)
const Failure = Type.Object(
  {
    code: Type.String({ maxLength: 40, pattern: '^[A-Za-z0-9_]+$' }),
    path: Type.Optional(Bytes(5000)),
    why: Type.Optional(Type.String({ maxLength: 1000 })),
    partly: Type.Optional(Type.String({ maxLength: 1000 })),
  },
  closed,
)

/** The largest page of a list. */
export const maxPage = 10_000

/** The maximum number of entries of an archive that are named. */
export const maxArchiveRows = 5000

/** The maximum number of files that an extraction may name before it replaces them. */
export const maxReplaced = 5000

/** A checker for each reply; the results of `Check` are typed. */
export const replies = {
  list: compiled(
    Type.Object(
      { total: Count, entries: Type.Array(Type.Object(row, closed), { maxItems: maxPage }) },
      closed,
    ),
  ),
  stat: compiled(Stat),
  head: compiled(Type.Object({ stat: Stat, start: Count, end: Count }, closed)),
  written: compiled(Type.Object({ etag: Etag, size: Count, created: Type.Boolean() }, closed)),
  removed: compiled(Type.Object({ removed: Count }, closed)),
  copied: compiled(Type.Object({ entries: Count, bytes: Count, skipped: Count }, closed)),
  changed: compiled(Type.Object({ changed: Count }, closed)),
  size: compiled(Type.Object({ bytes: Count }, closed)),
  compressed: compiled(Type.Object({ suffix: Count, bytes: Count }, closed)),
  trash: compiled(
    Type.Object({ total: Count, entries: Type.Array(TrashRow, { maxItems: maxPage }) }, closed),
  ),
  foundRow: compiled(FoundRow),
  uploadRoom: compiled(Type.Object({ free: Count }, closed)),
  uploadLook: compiled(Type.Object({ free: Count, isOpen: Type.Boolean() }, closed)),
  uploadSize: compiled(Type.Object({ size: Count }, closed)),
  uploadPart: compiled(
    Type.Object(
      {
        outcome: Type.Union([Type.Literal('appended'), Type.Literal('offset'), Type.Literal('checksum')]),
        size: Count,
      },
      closed,
    ),
  ),
  uploadSealed: compiled(
    Type.Object(
      {
        outcome: Type.Union([Type.Literal('sealed'), Type.Literal('offset'), Type.Literal('checksum')]),
        size: Count,
        etag: Etag,
      },
      closed,
    ),
  ),
  replaced: compiled(
    Type.Object({ paths: Type.Array(Bytes(4096), { maxItems: maxReplaced }), further: Count }, closed),
  ),
  looked: compiled(
    Type.Object(
      {
        bytes: Count,
        files: Count,
        folders: Count,
        replacedFiles: Count,
        replacedOthers: Count,
        paths: Type.Array(Bytes(5000), { maxItems: 20 }),
      },
      closed,
    ),
  ),
  entries: compiled(
    Type.Object(
      {
        rows: Type.Array(
          Type.Object(
            {
              path: Bytes(4096),
              type: Type.Union([Type.Literal('file'), Type.Literal('folder'), Type.Literal('link')]),
              size: Count,
              mtimeMs: row.mtimeMs,
            },
            closed,
          ),
          { maxItems: maxArchiveRows },
        ),
        entries: Count,
        bytes: Count,
        cutBy: Type.Optional(Type.String({ maxLength: 1000 })),
      },
      closed,
    ),
  ),
  previewed: compiled(
    Type.Object(
      {
        ...{
          entries: Count,
          bytes: Count,
          isCut: Type.Boolean(),
          paths: Type.Array(Bytes(5000), { maxItems: 20 }),
        },
        replaced: Type.Optional(Type.Object({ type: row.type, size: Count }, closed)),
      },
      closed,
    ),
  ),
  note: compiled(Note),
  nothing: compiled(Type.Object({}, closed)),
  failure: compiled(Type.Object({ fail: Failure }, closed)),
}

/** A checker, reduced to the members that callers need. */
export interface Checker<T> {
  Check(value: unknown): value is T
}
