import Type, { type Static } from 'typebox'
import {
  Hostname,
  Id,
  OneOf,
  Optional,
  Ref,
  Revealed,
  Revision,
  Secret,
  Text,
  Time,
} from '../../core/schemas.ts'

const name = (maxLength: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[a-z0-9_-]+$',
    description,
    expects: `1 to ${maxLength} lower-case letters, digits, _ and -`,
  })

const DatabaseName = name(63, 'Name without the prefix, which is the account of the owner and _')
const AccountName = name(79, 'User name without the prefix, which is the account of the owner and _')
const FullAccountName = name(80, 'Full user name on the server')

/** The server keeps a hash, which would be that of no password for an empty one. */
const Password = Secret({
  minLength: 1,
  maxLength: 256,
  description: 'Password of the user',
  expects: 'a password of 1 to 256 characters',
})

const AccountHost = Type.String({
  minLength: 1,
  maxLength: 60,
  default: 'localhost',
  description: 'Where the user connects from; % is any host',
  expects:
    'a host name, an address, an address with netmask, or a pattern of digits, dots and %, at most 60 characters',
})

/** The servers that databases of websites can be on. */
export const engineNames = ['mariadb', 'postgresql', 'mongodb'] as const
export type EngineName = (typeof engineNames)[number]

export const DatabaseEngine = OneOf(engineNames, {
  default: 'mariadb',
  description: 'The server that has the database',
})

const Charset = Text(64, { minLength: 1, description: 'Character set; default utf8mb4' })
const Collation = Text(64, { minLength: 1, description: 'Collation; default that of the character set' })

export const DatabaseUser = Type.Object({
  username: FullAccountName,
  host: Text(60, { description: 'Where the user connects from' }),
})
export type DatabaseUser = Static<typeof DatabaseUser>

const Nullable = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const count = Type.Integer({ minimum: 0 })

export const Database = Type.Object({
  id: Id,
  name: Text(64, { description: 'Full name on the server' }),
  engine: OneOf(engineNames, { description: 'The server that has the database' }),
  website_id: Nullable(Type.Integer(), 'Id of its website; null once that was deleted'),
  domain: Nullable(Hostname, 'Domain of its website'),
  state: OneOf(['present', 'missing', 'unknown'], {
    description: 'missing if the server has it no longer, unknown if the server does not answer',
  }),
  charset: Nullable(Text(64), 'Character set of new tables'),
  collation: Nullable(Text(64), 'Collation of new tables'),
  size_bytes: Nullable(count, 'Estimate of the server: data and indexes'),
  row_estimate: Nullable(count, 'Estimate of the server'),
  table_count: Nullable(count, 'Tables and views, or collections'),
  users: Type.Array(DatabaseUser, { maxItems: 1000 }),
  created_at: Time,
  revision: Revision,
})
export type Database = Static<typeof Database>

const draftFields = {
  name: DatabaseName,
  username: AccountName,
  password: Password,
}

export const DatabaseDraft = Type.Object({
  ...draftFields,
  engine: Optional(DatabaseEngine),
  charset: Optional(Charset),
  collation: Optional(Collation),
})
export type DatabaseDraft = Static<typeof DatabaseDraft>

export const FiledDatabaseDraft = Type.Object({
  ...draftFields,
  website_id: Ref('website'),
  engine: Optional(DatabaseEngine),
  charset: Optional(Charset),
  collation: Optional(Collation),
})

export const DatabaseCopyDraft = Type.Object({ ...draftFields, website_id: Ref('website') })

export const DatabaseUsers = Type.Object({
  message: Text(500, { description: 'Where users are listed with their databases' }),
  users: Type.Array(DatabaseUser, { maxItems: 1000 }),
})

export const DatabaseUserDraft = Type.Object({
  username: AccountName,
  password: Password,
  host: AccountHost,
})
export type DatabaseUserDraft = Static<typeof DatabaseUserDraft>

export const PasswordReset = Type.Object({ password: Optional(Password) })

export const NewDatabasePassword = Type.Object({
  username: FullAccountName,
  password: Revealed({ description: 'The new password; it is shown this once' }),
})

export const DatabaseHost = Type.Object({
  host: Text(255, { description: 'The host that programs of this host connect to' }),
  port: Nullable(Type.Integer({ minimum: 1, maximum: 65_535 }), 'Null if it takes no connections over TCP'),
  socket: Text(255, { description: 'Its socket, which localhost stands for in most clients' }),
  is_remote: Type.Boolean({ description: 'Whether other hosts may connect' }),
})
export type DatabaseHost = Static<typeof DatabaseHost>

export const NameQuery = Type.Object({
  name: DatabaseName,
  website_id: Ref('website'),
})

export const NameCheck = Type.Object({
  name: Text(200, { description: 'Full name on the server' }),
  available: Type.Boolean(),
  reason: Nullable(Text(500), 'Why it cannot be taken'),
})
export type NameCheck = Static<typeof NameCheck>

/** A database that is on the server and of no website. */
export const UnassociatedDatabase = Type.Object({
  name: Text(128, { description: 'Full name on the server' }),
  id: Nullable(Type.Integer(), 'Its id; null if the panel did not create it'),
  owner: Nullable(Text(128), 'The account of the server to whom it belongs'),
  size_bytes: Nullable(count, 'Size on the disk'),
  can_be_associated: Type.Boolean({ description: 'Whether its name is one that the panel can use' }),
})
export const UnassociatedDatabases = Type.Object({
  databases: Type.Array(UnassociatedDatabase, { maxItems: 10_000 }),
})
export type UnassociatedDatabases = Static<typeof UnassociatedDatabases>

export const Association = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: '^[a-z0-9_-]+$',
    description: 'Full name on the server',
    expects: '1 to 64 lower-case letters, digits, _ and -',
  }),
  website_id: Ref('website'),
})

export const DatabasePath = Type.Object({ id: Id })
export const DatabaseUserPath = Type.Object({ id: Id, username: FullAccountName })

export const CopyInput = Type.Object({
  source_id: Id,
  id: Id,
  website_id: Id,
  name: DatabaseName,
  username: AccountName,
  hash: Secret({ maxLength: 64 }),
  /** The password of the new user while the copy is made. */
  temporary: Secret({ maxLength: 64 }),
  label: Text(64),
})
