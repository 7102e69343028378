import Type, { type Static } from 'typebox'
import { FileHostname, OneOf, Optional, Prose, Revision, Secret, Text, Time } from '../../core/schemas.ts'
import { Nullable } from './shapes/names.ts'

export * from './shapes/backends.ts'
export * from './shapes/frontends.ts'
export { Name } from './shapes/names.ts'
export * from './shapes/traffic.ts'

const configLength = 4 * 1024 * 1024
export const Config = Type.Object({
  path: Text(4096),
  content: Prose(16 * 1024 * 1024, { description: 'The file; passwords in it are hidden' }),
  revision: Revision,
})
export const ConfigDraft = Type.Object({
  content: Secret({
    maxLength: configLength,
    description: 'The whole file; a line whose password is hidden keeps it',
    expects: 'the text of a configuration of at most 4 MiB',
  }),
})

export const Backup = Type.Object({
  name: Text(255),
  size: Type.Integer({ description: 'Bytes' }),
  date: Time,
})
export type Backup = Static<typeof Backup>
export const FileName = Type.String({ minLength: 1, maxLength: 255, description: 'Name of a backup' })

export const AutoBackup = Type.Object({
  enabled: Type.Boolean({ default: true, description: 'Whether backups are made by themselves' }),
  every: OneOf(['hour', 'day', 'week'], { default: 'day', description: 'How often' }),
  keep: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 14,
    description: 'How many are kept; those made by hand are not counted',
    expects: 'a number from 1 to 1000',
  }),
})
export type AutoBackup = Static<typeof AutoBackup>

export const Status = Type.Object({
  installed: Type.Boolean(),
  running: Type.Boolean(),
  version: Nullable(Text(100)),
  started_at: Nullable(Time),
  processes: Type.Array(Type.Integer(), { maxItems: 1000 }),
  failed_reloads: Type.Integer({ description: 'Since the last reload that worked' }),
  reason: Nullable(Text(2000)),
  auto_backup: AutoBackup,
})

export const StoredCertificate = Type.Object({
  domain: Text(253),
  names: Type.Array(Text(253), { maxItems: 1000 }),
  issuer: Prose(500),
  valid_from: Time,
  valid_to: Time,
  self_signed: Type.Boolean(),
  expired: Type.Boolean(),
  chain: Type.Array(Type.Object({ name: Prose(500), valid_to: Time, expired: Type.Boolean() }), {
    maxItems: 100,
    description: 'The certificates that are sent with it',
  }),
  problem: Optional(Text(1000, { description: 'Why the file cannot be used; absent when it can' })),
  used_by: Type.Array(Text(500), { maxItems: 1000 }),
})
export type StoredCertificate = Static<typeof StoredCertificate>

export const CertificateDraft = Type.Object({
  domain: FileHostname,
  certificate: Optional(
    Secret({ maxLength: 200_000, description: 'PEM, with its chain; the key may be in it too' }),
  ),
  key: Optional(Secret({ maxLength: 50_000, description: 'PEM' })),
  self_signed: Type.Boolean({ default: false, description: 'Make one that nobody vouches for' }),
})
export type CertificateDraft = Static<typeof CertificateDraft>
