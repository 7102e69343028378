import { Readable } from 'node:stream'
import Type, { type Static } from 'typebox'
import { compiled } from '../../core/compiled.ts'
import { BackupDamaged } from './problems.ts'

const Account = Type.Object({
  username: Type.String(),
  host: Type.String(),
  hash: Type.Union([Type.String(), Type.Null()]),
})

const RecordedDatabase = Type.Object({
  name: Type.String(),
  charset: Type.String(),
  collation: Type.String(),
  accounts: Type.Array(Account),
})
export type RecordedDatabase = Static<typeof RecordedDatabase>

/** What the panel knows of a website, from which it can be made again. */
export const SiteRecord = Type.Object({
  type: Type.Enum(['static', 'php', 'proxy']),
  aliases: Type.Array(Type.String()),
  https_redirect: Type.Boolean(),
  hsts: Type.Boolean(),
  settings: Type.Unknown(),
  protected_folders: Type.Array(
    Type.Object({
      folder: Type.String(),
      users: Type.Array(Type.Object({ username: Type.String(), hash: Type.String() })),
    }),
  ),
  crontab: Type.String(),
  certificate: Type.Union([Type.Object({ file: Type.String(), pem: Type.String() }), Type.Null()]),
  databases: Type.Array(RecordedDatabase),
})
export type SiteRecord = Static<typeof SiteRecord>

const record = compiled(SiteRecord)

/** Returns a record as the stream that a backup stores. */
export const streamOf = (record: SiteRecord): Readable => Readable.from([Buffer.from(JSON.stringify(record))])

const mostBytes = 16 * 1024 * 1024

/** Reads a record from a stream. */
export async function readRecord(stream: Readable): Promise<SiteRecord> {
  const parts: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    parts.push(Buffer.from(chunk))
    size += chunk.length
    if (size > mostBytes) throw BackupDamaged('The settings of the website in the backup are too large')
  }
  const value: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'))
  if (!record.Check(value)) throw BackupDamaged('The settings of the website in the backup are not readable')
  return value
}
