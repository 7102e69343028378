/* oxlint-disable max-lines -- a table of schemas */
import Type, { type Static } from 'typebox'
import { maxArchiveRows } from '../../host/owner/index.ts'
import { OneOf, Optional, Prose, Text, Time } from '../../core/schemas.ts'

/** A path in the home. Every byte except NUL is allowed; a leading slash means the home. */
export const HomePath = Type.String({
  maxLength: 4096,
  description: 'Path in the home; a leading / means the home',
  expects: 'a path of at most 4096 characters',
})

const PathBytes = Type.String({
  maxLength: 8000,
  pattern: '^[A-Za-z0-9+/_-]*={0,2}$',
  description: 'The bytes of the path in base64, in place of the path: for names that are not UTF-8',
  expects: 'base64 of at most 8000 characters',
})

/** The two ways to name a path: `path` as text or `path_b64` as bytes. `pathOf` reads the one that was sent, and throws for both or neither. */
export const pathField = <Field extends string>(field: Field, description?: string) => {
  const text = Optional(
    description === undefined ? HomePath : Type.Unsafe<string>({ ...HomePath, description }),
  )
  return twins(field, text, Optional(PathBytes))
}

/** The two ways to name many paths: all as text, or all as bytes. */
export const pathsField = <Field extends string>(field: Field) => {
  const many = { minItems: 1, maxItems: 10_000, expects: 'a list of 1 to 10000 paths' }
  const [texts, bytes] = [Optional(Type.Array(HomePath, many)), Optional(Type.Array(PathBytes, many))]
  return twins(field, texts, bytes)
}

const twins = <Field extends string, Text, Bytes>(field: Field, text: Text, bytes: Bytes) =>
  ({ [field]: text, [`${field}_b64`]: bytes }) as Twins<Field, Text, Bytes> // TypeScript forgets the names of computed fields

type Twins<Field extends string, Text, Bytes> = { readonly [Name in Field]: Text } & {
  readonly [Name in `${Field}_b64`]: Bytes
}

export const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^/\\u0000]+$',
  description: 'Name without /',
  expects: 'a file name of 1 to 255 characters without /',
})

/** The owner of the files: `username` takes precedence; if it does not resolve, the website decides (decision 3.18). */
export const ownerFields = {
  username: Optional(Type.String({ maxLength: 64, description: 'Linux account whose files are meant' })),
  website_id: Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Website whose owner is meant',
      'x-ref': 'website',
    }),
  ),
}

export const Etag = Type.String({ maxLength: 200, description: 'Changes with the file' })

export const Entry = Type.Object({
  name: Prose(1024, { description: 'Name; bytes that are not UTF-8 are replaced' }),
  name_b64: Optional(
    Type.String({ maxLength: 2048, description: 'The bytes of a name that is not UTF-8, in base64' }),
  ),
  type: OneOf(['file', 'folder', 'link', 'other']),
  size_bytes: Type.Integer({ minimum: 0 }),
  mode: Type.String({ maxLength: 4, description: 'Octal' }),
  owner: Text(64),
  group: Text(64),
  modified_at: Time,
  is_locked: Type.Boolean({ description: 'Whether it is immutable' }),
  link_target: Optional(Prose(8192)),
})

export const FileStat = Type.Object({ ...Entry.properties, etag: Etag })

export const ListQuery = Type.Object({
  ...ownerFields,
  ...pathField('path', 'Folder; the home where it is absent'),
  show_hidden: Type.Boolean({ default: false, description: 'Also names that begin with a dot' }),
  folders_first: Type.Boolean({
    default: false,
    description: 'Folders before everything else, each in the order asked for',
  }),
})

export const PathQuery = Type.Object({ ...ownerFields, ...pathField('path') })

export const DownloadQuery = Type.Object({
  ...PathQuery.properties,
  archive: Optional(
    OneOf(['zip', 'tar.gz'], {
      description: 'How a folder is packed while it is sent; required for one',
      expects: 'zip or tar.gz',
    }),
  ),
})

export const readLimitBytes = 8 * 1024 * 1024

export const ReadQuery = Type.Object({
  ...ownerFields,
  ...pathField('path'),
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

/** Encodings of a file's content. */
export const encodings = [
  'utf-8',
  'utf-8-bom',
  'utf-16le',
  'utf-16be',
  'iso-8859-1',
  'windows-1252',
  'base64',
] as const

export const Encoding = OneOf(encodings, {
  default: 'utf-8',
  description:
    'How content is written, as read tells it; utf-8-bom and utf-16 get their mark at the start, base64 stands for any bytes',
})

export const FileContent = Type.Object({
  content: Type.String({ maxLength: readLimitBytes * 2 }),
  encoding: OneOf(encodings, {
    description:
      'By the mark at the start of the file, else utf-8 where it is valid, else the best guess; base64 where it is no text',
  }),
  start: Type.Integer({
    minimum: 0,
    description: 'First byte that is here: no character is cut, and a mark is left out',
  }),
  end: Type.Integer({ minimum: 0, description: 'First byte that is not here: the next part begins there' }),
  size_bytes: Type.Integer({ minimum: 0, description: 'Of the whole file' }),
  is_cut: Type.Boolean({ description: 'Whether the file goes on after what is here' }),
  etag: Etag,
})

/** Contents of files may contain passwords: like secrets, they never reach the activity log. */
export const WriteBody = Type.Object({
  ...ownerFields,
  ...pathField('path'),
  content: Type.String({
    maxLength: readLimitBytes * 2,
    description: 'The whole new content',
    'x-secret': true,
  }),
  encoding: Encoding,
  if_match: Optional(Etag),
})
export type WriteBody = Static<typeof WriteBody>

export const Written = Type.Object({
  path: HomePath,
  path_b64: Optional(
    Type.String({ maxLength: 8000, description: 'The bytes of a path that is not UTF-8, in base64' }),
  ),
  etag: Etag,
  size_bytes: Type.Integer({ minimum: 0 }),
  created: Type.Boolean({ description: 'Whether there was no such file before' }),
})

export const MkdirBody = Type.Object({
  ...ownerFields,
  ...pathField('path'),
  recursive: Type.Boolean({ default: false, description: 'Make the folders above it too' }),
})

export const DeleteBody = Type.Object({
  ...ownerFields,
  ...pathsField('paths'),
  trash: Type.Boolean({ default: false, description: 'Move it to the trash instead' }),
})

const TrashIds = Type.Array(Type.String({ minLength: 1, maxLength: 60 }), {
  minItems: 1,
  maxItems: 10_000,
  expects: 'a list of 1 to 10000 ids of the trash',
})

export const TrashQuery = Type.Object({ ...ownerFields })

export const TrashItem = Type.Object({
  id: Type.String({ maxLength: 60 }),
  path: Prose(8192, { description: 'Where it stood' }),
  path_b64: Optional(
    Type.String({ maxLength: 8192, description: 'The bytes of a path that is not UTF-8, in base64' }),
  ),
  type: OneOf(['file', 'folder', 'link', 'other']),
  size_bytes: Type.Integer({ minimum: 0 }),
  deleted_at: Time,
})

export const RestoreBody = Type.Object({ ...ownerFields, ids: TrashIds })

export const EmptyBody = Type.Object({ ...ownerFields, ids: Optional(TrashIds) })

export const ExtractBody = Type.Object({
  ...ownerFields,
  ...pathField('archive_path'),
  ...pathField('dst_path'),
})

export const Extracted = Type.Object({
  files: Type.Integer({ minimum: 0, description: 'Entries unpacked' }),
  size_bytes: Type.Integer({ minimum: 0 }),
  replaced: Type.Integer({ minimum: 0, description: 'Files that stood there with another content' }),
  not_kept: Type.Integer({
    minimum: 0,
    description: 'Those of them that the history has nothing of, as they were too many at once',
  }),
})

export const ArchiveEntry = Type.Object({
  path: Prose(8192, { description: 'Path in the archive; bytes that are not UTF-8 are replaced' }),
  path_b64: Optional(
    Type.String({ maxLength: 8192, description: 'The bytes of a path that is not UTF-8, in base64' }),
  ),
  type: OneOf(['file', 'folder', 'link']),
  size_bytes: Type.Integer({ minimum: 0, description: 'Unpacked size' }),
  modified_at: Time,
})

export const ArchiveListing = Type.Object({
  items: Type.Array(ArchiveEntry, { maxItems: maxArchiveRows, description: 'The first entries' }),
  total: Type.Integer({ minimum: 0, description: 'All entries that were found' }),
  size_bytes: Type.Integer({ minimum: 0, description: 'Bytes that they unpack to' }),
  cut_by: Optional(Prose(300, { description: 'Why the archive was not read to its end' })),
})

export const uploadLimitBytes = 50 * 1024 ** 3

export const UploadFields = Type.Object({
  ...ownerFields,
  ...pathField('path', 'Folder it goes into; the home where it is absent'),
  name: Optional(Name),
  name_b64: Optional(PathBytes),
  if_match: Optional(Etag),
  overwrite: Type.Boolean({ default: true, description: 'Whether a file of this name is replaced' }),
})

const overwrite = Type.Boolean({
  default: false,
  description: 'Whether a file that stands there is replaced',
})

export const PlaceBody = Type.Object({
  ...ownerFields,
  ...pathField('src_path'),
  ...pathField('dst_path', 'Where it goes; a folder that stands there takes it in'),
  overwrite,
})

export const RenameBody = Type.Object({
  ...ownerFields,
  ...pathField('path'),
  new_name: Optional(Name),
  new_name_b64: Optional(PathBytes),
  overwrite,
})

export const ChmodBody = Type.Object({
  ...ownerFields,
  ...pathField('path'),
  mode: Type.String({
    pattern: '^0?[01]?[0-7]{3}$',
    maxLength: 5,
    description: 'Octal; setuid and setgid are refused',
    expects: 'an octal mode such as 644 or 1777, without setuid and setgid',
  }),
  recursive: Type.Boolean({ default: false, description: 'Everything below it too, links left out' }),
  only: Optional(
    OneOf(['files', 'folders'], {
      description: 'With recursive: only folders, or only what is none',
      expects: 'files or folders',
    }),
  ),
})

export const LockBody = Type.Object({
  ...ownerFields,
  ...pathField('path'),
  recursive: Type.Boolean({ default: false, description: 'Everything below it too, links left out' }),
})

export const DirsizeQuery = Type.Object({
  ...ownerFields,
  ...pathField('path', 'Folder; the home where it is absent'),
  trash: Type.Boolean({
    default: false,
    description: 'The trash instead of a folder: about what emptying it frees',
  }),
})

export const Dirsize = Type.Object({
  size_bytes: Type.Integer({ minimum: 0, description: 'As du -sb tells it' }),
})

export const CompressBody = Type.Object({
  ...ownerFields,
  ...pathsField('paths'),
  archive_name: Type.Unsafe<string>({
    ...Name,
    maxLength: 240,
    description: 'Name of the archive at the top of the home; its ending says the format',
    expects: 'a file name of 1 to 240 characters without /',
  }),
})

export const CompressJobBody = Type.Object({
  ...CompressBody.properties,
  ...pathField('dst_path', 'The folder that takes the archive'),
})

export const Compressed = Type.Object({
  archive: Type.String({ maxLength: 255, description: 'Name that was used' }),
  size_bytes: Type.Integer({ minimum: 0 }),
})

export const SearchQuery = Type.Object({
  ...ownerFields,
  ...pathField('path', 'Folder below which is searched; the home where it is absent'),
  query: Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[^\\u0000\\n\\r]+$',
      description: 'Text to find; letters match in either case',
      expects: 'text of 1 to 200 characters on one line',
    }),
  ),
  in: OneOf(['name', 'content'], { default: 'name', description: 'What is searched' }),
  match_case: Type.Boolean({ default: false, description: 'Whether letters match in their own case only' }),
  glob: Type.Boolean({
    default: false,
    description:
      'Whether the query is a pattern for the whole name: * any text, ? one character, [a-z] one of these',
  }),
  files: Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[^/{}\\\\!\\u0000-\\u001f][^/{}\\\\\\u0000-\\u001f]*$',
      description: 'Pattern for the names of files whose content is searched, such as *.php',
      expects: 'a pattern such as *.php, without / { } and backslashes',
    }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 200,
    description: 'At most so many results',
    expects: 'a number from 1 to 1000',
  }),
})

export const SearchMatch = Type.Object({
  path: Prose(8192),
  path_b64: Optional(
    Type.String({ maxLength: 8192, description: 'The bytes of a path that is not UTF-8, in base64' }),
  ),
  type: OneOf(['file', 'folder', 'link', 'other']),
  line: Optional(Type.Integer({ minimum: 0, description: 'Line that matches, from 1' })),
  text: Optional(Prose(400, { description: 'Start of that line' })),
})

export const SearchResult = Type.Object({
  items: Type.Array(SearchMatch, { maxItems: 1000 }),
  is_cut: Type.Boolean({ description: 'Whether there are more' }),
})

/** One event of a streamed search. */
export const SearchEvent = Type.Union([
  Type.Object({ type: Type.Literal('match'), match: SearchMatch }),
  Type.Object({
    type: Type.Literal('end'),
    found: Type.Integer({ minimum: 0 }),
    is_cut: Type.Boolean({ description: 'Whether there are more' }),
  }),
])
