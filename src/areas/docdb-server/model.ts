import Type, { type Static } from 'typebox'
import { Optional, Prose, Secret, Text } from '../../core/schemas.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description })
const Nullable = (description: string) => Type.Union([Prose(2000), Type.Null()], { description })

export const DocdbStatus = Type.Object({
  installed: Type.Boolean({ description: 'Whether the server is installed' }),
  running: Type.Boolean({ description: 'Whether its service runs' }),
  version: Text(100, { description: 'Version of its package; empty if it is not installed' }),
  uptime: Count('Seconds since its start; 0 while it does not answer'),
  connections: Count('Open connections'),
  memory_mb: Count('Resident memory in MiB'),
  data_size: Count('Bytes on the disk, of all databases'),
  reason: Nullable('Why it cannot be used, or why the figures are missing'),
})
export type DocdbStatus = Static<typeof DocdbStatus>

export const DocdbSwitched = Type.Object({
  success: Type.Literal(true),
  message: Text(500),
})
export type DocdbSwitched = Static<typeof DocdbSwitched>

export const DocdbBackedUp = Type.Object({
  success: Type.Literal(true),
  backup: Text(100, { description: 'Name of the backup' }),
})

export const DocdbRestored = Type.Object({ success: Type.Literal(true), message: Text(2000) })

export const DocdbBackups = Type.Object({
  backups: Type.Array(
    Type.Object({
      name: Text(100, { description: 'Name of its folder; the time in it is UTC' }),
      date: Text(16, { description: 'When it was begun, in UTC: YYYY-MM-DD HH:MM' }),
      size: Text(50, { description: 'On the disk, with its unit' }),
    }),
    { maxItems: 10, description: 'The newest first' },
  ),
})
export type DocdbBackups = Static<typeof DocdbBackups>

export const BackupPath = Type.Object({ name: Text(100, { description: 'Name of a backup' }) })

export const RestoreDraft = Type.Object({
  backup: Text(100, { description: 'Name of a backup', expects: 'the name of a backup of the list' }),
})

export const DocdbUsers = Type.Object({
  users: Type.Array(
    Type.Object({
      user: Prose(1000, { description: 'Name of the account' }),
      db: Prose(100, { description: 'Database in which it signs in' }),
      roles: Type.Array(Prose(1000), { maxItems: 1000, description: 'role@database' }),
    }),
    { maxItems: 5000, description: 'By database and name; empty while the server does not answer' },
  ),
  reason: Nullable('Why they could not be read'),
})
export type DocdbUsers = Static<typeof DocdbUsers>

export const DocdbUserDraft = Type.Object({
  username: Type.String({
    maxLength: 64,
    pattern: '^[A-Za-z0-9_][A-Za-z0-9_.@-]*$',
    description: 'Name of the account',
    expects: 'letters, digits, _, ., @ and -, at most 64, beginning with a letter, a digit or _',
  }),
  password: Secret({
    minLength: 8,
    maxLength: 256,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    description: 'Password of the account',
    expects: 'a password of 8 to 256 characters',
  }),
  database: Type.String({
    maxLength: 63,
    pattern: '^[A-Za-z0-9_][A-Za-z0-9_-]*$',
    description: 'The database in which it signs in, and on which the role is granted',
    expects: 'letters, digits, _ and -, at most 63, beginning with a letter, a digit or _',
  }),
  role: Optional(
    Type.String({
      maxLength: 64,
      pattern: '^[A-Za-z][A-Za-z0-9_.-]*$',
      default: 'readWrite',
      description: 'A role of the server, such as read, readWrite, dbAdmin or dbOwner',
      expects: 'the name of a role such as readWrite',
    }),
  ),
})
export type DocdbUserDraft = Static<typeof DocdbUserDraft>

export const DocdbUserPath = Type.Object({ username: Prose(1000, { description: 'Name of the account' }) })
export const DocdbUserQuery = Type.Object({
  db: Prose(100, { default: 'admin', description: 'The database in which the account signs in' }),
})
