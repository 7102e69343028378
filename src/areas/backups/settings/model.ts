import Type, { type Static } from 'typebox'
import { Masked, Optional, Prose, Revealed, Secret, Text } from '../../../core/schemas.ts'

/** The characters that mean something to a shell: no value that is sent to an object store contains them. */
const unsafe = ';|&$`\'"(){}\\[\\]!<>\\n'
const safeText = (maxLength: number, description: string) =>
  Type.String({
    maxLength,
    pattern: `^[^${unsafe}\\u0000-\\u001f\\u007f]*$`,
    description,
    expects: `text of at most ${maxLength} characters without ; | & $ quotes, brackets, ! < > and line breaks`,
  })
const Flag = (description: string) => Type.Integer({ minimum: 0, maximum: 1, description, expects: '0 or 1' })
/** Prefixes are part of object keys, where they only have to be text. */
const Prefix = Text(500, { description: 'What the keys of the objects begin with, such as a folder' })

const fields = {
  s3_endpoint: safeText(2000, 'Address of the S3 server, such as https://s3.example.com; empty without one'),
  s3_bucket: safeText(255, 'Bucket'),
  s3_access_key: safeText(255, 'Access key'),
  s3_region: safeText(100, 'Region'),
  s3_prefix: Prefix,
  remote_enabled: Flag('1 if backups are copied to S3'),
  local_encrypt: Flag('1 if backups on this host are encrypted'),
  remote_encrypt: Flag('1 if backups on S3 are encrypted'),
  schedule: Text(100, {
    description:
      'When the panel is backed up: a cron expression in UTC, such as 30 2 * * *; empty if it is not backed up on its own',
  }),
  keep: Type.Integer({
    minimum: 1,
    maximum: 1000,
    description: 'How many scheduled backups of the panel are kept',
    expects: 'a number from 1 to 1000',
  }),
  max_bytes_per_second: Type.Integer({
    minimum: 0,
    maximum: 100_000_000_000,
    description:
      'How many bytes a second a backup of a website writes at most; 0 for no limit, otherwise 65536 or more',
    expects: '0, or a number from 65536 to 100000000000',
  }),
}
const secretKey = { maxLength: 255, description: 'Secret key of the access key' }

export const BackupSettings = Type.Object({
  ...fields,
  s3_secret_key: Type.Union([Masked(secretKey), Type.Null()], { description: 'Null without one' }),
  key_set: Flag('1 if an encryption key is stored'),
})
export type BackupSettings = Static<typeof BackupSettings>

export const BackupSettingsDraft = Type.Object({
  s3_endpoint: Optional(fields.s3_endpoint),
  s3_bucket: Optional(fields.s3_bucket),
  s3_access_key: Optional(fields.s3_access_key),
  s3_secret_key: Optional(
    Secret({
      ...secretKey,
      pattern: `^[^${unsafe}\\u0000-\\u001f\\u007f]*$`,
      expects: 'text without ; | & $ quotes, brackets, ! < > and line breaks',
    }),
  ),
  s3_region: Optional(fields.s3_region),
  s3_prefix: Optional(fields.s3_prefix),
  remote_enabled: Optional(fields.remote_enabled),
  local_encrypt: Optional(fields.local_encrypt),
  remote_encrypt: Optional(fields.remote_encrypt),
  schedule: Optional(fields.schedule),
  keep: Optional(fields.keep),
  max_bytes_per_second: Optional(fields.max_bytes_per_second),
})
export type BackupSettingsDraft = Static<typeof BackupSettingsDraft>

export const BackupKey = Type.Object({
  passphrase: Revealed({ description: 'The passphrase that backups are encrypted with' }),
})
export type BackupKey = Static<typeof BackupKey>

const required = { minLength: 1 }
export const ObjectStoreTest = Type.Object({
  s3_endpoint: Type.String({ ...fields.s3_endpoint, ...required }),
  s3_bucket: Type.String({ ...fields.s3_bucket, ...required }),
  s3_access_key: Type.String({ ...fields.s3_access_key, ...required }),
  s3_secret_key: Secret({
    ...secretKey,
    ...required,
    pattern: `^[^${unsafe}\\u0000-\\u001f\\u007f]*$`,
    expects: 'text without ; | & $ quotes, brackets, ! < > and line breaks',
  }),
  s3_region: Type.String({ ...fields.s3_region, default: 'us-east-1' }),
  s3_prefix: Optional(Type.Union([Prefix, Type.Null()], { description: 'Not checked' })),
})
export type ObjectStoreTest = Static<typeof ObjectStoreTest>

export const ObjectStoreTested = Type.Object({
  success: Type.Literal(true),
  message: Prose(1000, { description: 'What was found' }),
  ping_ms: Type.Number({ description: 'Round trip to the server; -1 if it could not be measured' }),
  ping_host: Text(255, { description: 'Name or address of the server' }),
})
export type ObjectStoreTested = Static<typeof ObjectStoreTested>
