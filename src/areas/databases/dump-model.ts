import Type, { type Static } from 'typebox'
import { Id, Optional, Prose, Text } from '../../core/schemas.ts'

const Path = Prose(4096, { description: 'Absolute path of a file', expects: 'an absolute path' })

export const ExportBody = Type.Object({
  save_to_server: Type.Boolean({
    default: false,
    description:
      'Accepted for compatibility: the file is always kept, and belongs to the owner of the database',
  }),
  upload_to_cloud: Type.Boolean({
    default: false,
    description: 'Also upload the file to the S3 server of the backups',
  }),
})

export const ImportBody = Type.Object({
  file: Optional(
    Prose(4096, {
      description: 'Absolute path of a dump in the home of the owner; it takes precedence over url',
    }),
  ),
  url: Optional(
    Text(2048, { description: 'Address of a dump, which is downloaded into the folder for dumps' }),
  ),
  safety_dump: Type.Boolean({
    default: false,
    description: 'Dump the database before; if the import fails, the database is restored from this dump',
  }),
})

export const DumpQuery = Type.Object({ file: Path })

export const ExportInput = Type.Object({ id: Id, upload_to_cloud: Type.Boolean() })
export const ImportInput = Type.Object({
  id: Id,
  file: Optional(Prose(4096)),
  url: Optional(Text(2048)),
  safety_dump: Type.Boolean(),
})

const CloudUrl = Type.Union([Text(8192), Type.Null()], {
  description: 'Address of the object; null if it was not uploaded',
})

export const Exported = Type.Object({
  id: Id,
  file: Prose(4096, { description: 'Relative to the home' }),
  size_bytes: Type.Integer(),
  home: Prose(4096),
  cloud_url: CloudUrl,
})
export const Imported = Type.Object({ statements: Type.Integer() })

const Message = Text(4000, { description: 'How far it is, or why it failed' })
const Running = Type.Object({ type: Type.Literal('progress'), message: Message })
const Failed = Type.Object({ type: Type.Literal('error'), message: Message })

export const ExportEvent = Type.Union([
  Running,
  Failed,
  Type.Object({
    type: Type.Literal('done'),
    download_url: Text(8192, { description: 'Path of the endpoint that downloads the file' }),
    file_path: Prose(4096, { description: 'Absolute path of the file' }),
    cloud_url: CloudUrl,
  }),
])
export type ExportEvent = Static<typeof ExportEvent>

export const ImportEvent = Type.Union([
  Running,
  Failed,
  Type.Object({ type: Type.Literal('done'), message: Type.Literal('Import successful') }),
])
export type ImportEvent = Static<typeof ImportEvent>
