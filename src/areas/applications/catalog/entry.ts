import Type, { type Static } from 'typebox'
import { OneOf, Optional, Text } from '../../../core/schemas.ts'

const path = (description: string) =>
  Type.String({
    maxLength: 200,
    pattern: '^(?!/)(?!.*(?:^|/)\\.\\.?(?:/|$))[A-Za-z0-9._/-]+$',
    description,
    expects: 'a relative path without . and .. as names',
  })

const Url = Type.String({ maxLength: 300, pattern: '^https://', description: 'Where it is downloaded from' })

export const applicationIds = ['wordpress', 'dokuwiki', 'starter'] as const
export type ApplicationId = (typeof applicationIds)[number]

/** The folder of a Debian package, which belongs to root. */
const PackageFolder = Type.Object({
  package: Text(60, { description: 'Package that has the folder' }),
  parent: Type.String({ maxLength: 200, pattern: '^/usr/share(?:/[a-z0-9-]+)*$' }),
  folder: path('The folder in it'),
  /** Files without which the folder is not the whole application; `*` is the name of any one folder. */
  complete: Type.Array(
    Type.String({ maxLength: 200, pattern: '^[A-Za-z0-9._-]+(?:/(?:[*]|[A-Za-z0-9._-]+))*$' }),
    { maxItems: 10 },
  ),
})

/** A gzipped tar file with one folder. */
const Archive = Type.Object({
  url: Url,
  folder: path('The folder in the archive'),
  checksum: Type.Union([
    Type.Object({ algorithm: OneOf(['sha256']), value: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
    /** A text that begins with the checksum. */
    Type.Object({ algorithm: OneOf(['sha1', 'sha256']), url: Url }),
  ]),
})

/** An application as its file declares it. All paths are relative to the folder of the website, unless they say otherwise. */
export const AppEntry = Type.Object({
  id: OneOf(applicationIds),
  name: Text(60),
  icon: Text(30),
  description: Text(200),
  note: Optional(Text(300)),
  /** The largest a downloaded archive may be. */
  archive_mb: Type.Integer({ minimum: 1, maximum: 500 }),
  type: OneOf(['static', 'php']),
  /** The prefix of the name of its database; it has none if absent. */
  database: Optional(Type.String({ pattern: '^[a-z]{1,8}$' })),
  /** Extensions that its PHP needs. */
  extensions: Type.Array(Type.String({ pattern: '^[a-z0-9_]{1,30}$' }), { maxItems: 20 }),
  package: Optional(PackageFolder),
  archive: Optional(Archive),
  /** Names below the document root that are not installed. */
  omits: Type.Array(path('File or folder'), { maxItems: 50 }),
  /** Folders that are moved before anything is served. */
  moves: Type.Array(Type.Object({ from: path('Former path'), to: path('Path') }), { maxItems: 10 }),
  writes: Type.Array(
    Type.Object({
      path: path('File'),
      content: Type.String({ maxLength: 50_000 }),
      is_secret: Type.Boolean(),
    }),
    { maxItems: 20 },
  ),
  /** The file below the document root that tells the version; it is also how the application is found there. */
  version: Type.Object({ file: path('File'), pattern: Text(200) }),
  /** The script that sets it up; it has no administrator if absent. */
  set_up: Optional(OneOf(['wordpress', 'dokuwiki'])),
  /** Where its administrator signs in. */
  sign_in: Optional(Type.String({ maxLength: 100, pattern: '^/' })),
})
export type AppEntry = Static<typeof AppEntry>
