import Type, { type Static } from 'typebox'
import { Id, OneOf, Optional, Port, Prose, Revealed, Secret, Text, Time } from '../../core/schemas.ts'

const Gtid = Text(2000, { description: 'Position in the changes, as MariaDB counts them: 0-11-42' })
const Count = (description: string) => Type.Integer({ minimum: 0, description })
const ServerId = Type.Integer({ minimum: 1, maximum: 4_294_967_295, description: 'Different on each server' })
const DatabaseName = Text(64, {
  minLength: 1,
  description: 'Name of a database',
  expects: 'the name of a database',
})
const Name = Text(100, {
  minLength: 1,
  description: 'Name of the replica',
  expects: 'text of 1 to 100 characters on one line',
})
const Certificate = Prose(16_384, { description: 'The certificate that the SQL server must have, as PEM' })
const Statements = Type.Array(Text(2000), {
  maxItems: 50,
  description: 'The statements of the change, where the log has them',
})

export const Fix = OneOf(['wait', 'skip', 'sync', 'connect', 'restart', 'primary'], {
  description:
    'wait: it tries again by itself; skip: leave the change out; sync: synchronise again; connect: connect again; restart: start it again; primary: mend the primary',
})
export type Fix = Static<typeof Fix>

export const ReplicaError = Type.Object({
  number: Count('Of the error in MariaDB'),
  message: Prose(4000, { description: 'The error, in the words of MariaDB' }),
  explanation: Text(500, { description: 'What it means' }),
  fix: Fix,
  gtid: Type.Union([Gtid, Type.Null()], { description: 'The change that could not be applied' }),
  statements: Statements,
})
export type ReplicaError = Static<typeof ReplicaError>

export const LagSample = Type.Object({ at: Time, seconds: Count('How far the replica was behind') })
export type LagSample = Static<typeof LagSample>

export const SqlReplicationState = Type.Object({
  role: OneOf(['none', 'primary', 'replica']),
  server_id: Count('Of this server'),
  is_logging: Type.Boolean({ description: 'Whether this server writes a binary log, which replicas read' }),
  gtid: Gtid,
  read_only: Type.Boolean({ description: 'Whether clients without a special right may change nothing' }),
  sync_key: Type.Union(
    [
      Type.Object({
        key_prefix: Text(16, { description: 'First characters of the key' }),
        created_at: Time,
        last_used: Type.Union([Time, Type.Null()]),
      }),
      Type.Null(),
    ],
    { description: 'The key by which panels of replicas reach this one' },
  ),
  replica: Type.Union(
    [
      Type.Object({
        url: Text(300, { description: 'The panel of the primary' }),
        host: Text(253, { description: 'The SQL server of the primary' }),
        port: Count('Its port'),
        state: OneOf(['unsynchronised', 'running', 'connecting', 'stopped', 'broken'], {
          description: 'connecting: the primary does not answer; broken: a change could not be applied',
        }),
        lag_seconds: Type.Union([Count('Seconds'), Type.Null()], {
          description: 'How far the applied changes are behind; null while it is not known',
        }),
        lag_source: Type.Union([OneOf(['heartbeat', 'server']), Type.Null()], {
          description:
            'heartbeat: by the time that the panel of the primary writes each second; server: by Seconds_Behind_Master of MariaDB, as there is no recent heartbeat',
        }),
        lag_history: Type.Array(LagSample, {
          maxItems: 300,
          description: 'The lag in the last hour, each quarter of a minute, since the panel was started',
        }),
        received_gtid: Gtid,
        error: Type.Union([ReplicaError, Type.Null()]),
      }),
      Type.Null(),
    ],
    { description: 'Of a replica' },
  ),
  sync_job: Type.Union(
    [
      Type.Object({
        id: Id,
        state: Text(20, { description: 'State of the job' }),
        percent: Type.Union([Type.Number(), Type.Null()]),
        message: Prose(4000),
      }),
      Type.Null(),
    ],
    { description: 'The last synchronisation' },
  ),
  slave_skip_errors: Text(2000, {
    description: 'Errors that are passed over, separated by commas; empty for none',
  }),
})
export type SqlReplicationState = Static<typeof SqlReplicationState>

export const PrimaryDraft = Type.Object({
  new_key: Optional(
    Type.Boolean({ default: false, description: 'Generates another sync key, which ends the former one' }),
  ),
})
export type PrimaryDraft = Static<typeof PrimaryDraft>

export const NewPrimary = Type.Object({
  success: Type.Literal(true),
  server_id: ServerId,
  sync_key: Type.Union([Revealed({ description: 'Enter it on the panels of replicas' }), Type.Null()], {
    description: 'Only the reply that generates the key shows it',
  }),
})
export type NewPrimary = Static<typeof NewPrimary>

export const ConnectDraft = Type.Object({
  url: Text(300, {
    minLength: 1,
    description: 'Address of the panel of the primary, such as https://db1.example.com:2087',
  }),
  sync_key: Secret({ minLength: 1, maxLength: 200, description: 'Sync key of that panel' }),
  name: Optional(Name),
})
export type ConnectDraft = Static<typeof ConnectDraft>

export const Connected = Type.Object({
  success: Type.Literal(true),
  pinned: Type.Boolean({
    description:
      'Whether the key of the other panel was pinned, as its certificate is not valid for its name',
  }),
})
export type Connected = Static<typeof Connected>

export const SyncDraft = Type.Object({
  overwrite: Optional(
    Type.Boolean({ default: false, description: 'Replaces databases of this host that the primary has too' }),
  ),
})
export type SyncDraft = Static<typeof SyncDraft>

export const Synchronised = Type.Object({ databases: Count('Databases'), accounts: Count('Accounts') })
export const SyncQuery = Type.Object({ job_id: Optional(Id) })
export const SyncEvent = Type.Object({
  type: OneOf(['progress', 'done', 'error']),
  message: Prose(4000),
  percent: Type.Union([Type.Number({ minimum: 0, maximum: 100 }), Type.Null()]),
})
export type SyncEvent = Static<typeof SyncEvent>

export const Removed = Type.Object({ success: Type.Literal(true), message: Text(200) })
export const CopiedAccounts = Type.Object({ accounts: Count('Accounts that were copied') })

export const Replica = Type.Object({
  id: Id,
  name: Name,
  username: Text(80, { description: 'Its account on this server' }),
  server_id: Count('Zero if it is not known'),
  connected: Type.Boolean({ description: 'Whether it receives changes now' }),
  up_to_date: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether it was sent every change; null while it is not connected',
  }),
  address: Type.Union([Text(255), Type.Null()], { description: 'From where it is connected' }),
  created_at: Time,
})
export type Replica = Static<typeof Replica>

export const ReplicaDraft = Type.Object({ name: Name })
export type ReplicaDraft = Static<typeof ReplicaDraft>
export const NewReplica = Type.Object({
  id: Id,
  name: Name,
  username: Text(80),
  password: Revealed({ description: 'Only this reply shows it' }),
  port: Count('Of this server'),
  certificate: Certificate,
})
export type NewReplica = Static<typeof NewReplica>
export const ReplicaPath = Type.Object({ id: Id })

export const PrimaryReady = Type.Object({
  server_id: ServerId,
  port: Port,
  certificate: Certificate,
})
export type PrimaryReady = Static<typeof PrimaryReady>

export const AcceptDraft = Type.Object({
  name: Name,
  server_id: ServerId,
  password: Secret({
    minLength: 32,
    maxLength: 100,
    description: 'Password of its account, which it has drawn',
  }),
})
export type AcceptDraft = Static<typeof AcceptDraft>
export const Accepted = Type.Object({ username: Text(80) })
export type Accepted = Static<typeof Accepted>

export const PositionState = Type.Object({
  server_id: Count('Of this server'),
  gtid: Gtid,
  file: Type.Union([Text(500), Type.Null()]),
  position: Type.Union([Count('Bytes'), Type.Null()]),
})
export const DatabaseNames = Type.Object({ databases: Type.Array(Text(64), { maxItems: 10_000 }) })
export const DatabaseSizes = Type.Object({
  databases: Type.Array(Type.Object({ name: Text(64), size_bytes: Count('Data and indexes') }), {
    maxItems: 10_000,
  }),
  total_bytes: Count('Of all of them'),
})
export const DumpDraft = Type.Object({
  databases: Optional(
    Type.Array(DatabaseName, {
      maxItems: 10_000,
      description: 'Without it, all but those of the server itself',
    }),
  ),
})
export const DumpOneDraft = Type.Object({ database: DatabaseName })
export const ServerAccounts = Type.Object({
  accounts: Type.Array(
    Type.Object({
      username: Text(128),
      host: Text(255),
      authentication: Type.Array(
        Type.Object({ plugin: Text(64), secret: Revealed({ description: 'Hash of the password' }) }),
        { maxItems: 20 },
      ),
      grants: Type.Array(Text(20_000), { maxItems: 10_000 }),
    }),
    { maxItems: 100_000 },
  ),
})

export const Skipped = Type.Object({
  gtid: Gtid,
  statements: Statements,
  error: Prose(4000, { description: 'The error at which the replica had stopped' }),
  is_stopped_again: Type.Boolean({ description: 'Whether it stopped at a later change' }),
})
export type Skipped = Static<typeof Skipped>

export const SkipErrors = Type.Object({
  slave_skip_errors: Type.Array(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      description: 'Number of an error',
      expects: 'a number of an error, such as 1062',
    }),
    { maxItems: 100, description: 'Errors that the replica passes over from now on; empty for none' },
  ),
})
