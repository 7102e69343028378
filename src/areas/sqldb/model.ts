import Type, { type Static } from 'typebox'
import { OneOf, Optional, Prose, Text } from '../../core/schemas.ts'

const Nullable = (description: string) => Type.Union([Text(500), Type.Null()], { description })

export const Engine = OneOf(['sqlfork', 'sqlclassic'], {
  default: 'sqlfork',
  description: 'sqlfork is MariaDB, sqlclassic MySQL; any other value counts as sqlfork',
})
export type Engine = Static<typeof Engine>

export const EngineChoice = Type.Object({ type: Engine })

export const Installed = Type.Object({
  success: Type.Literal(true),
  message: Text(500),
  type: Engine,
})

export const SqldbStatus = Type.Object({
  installed: Type.Boolean({ description: 'Whether the server is installed' }),
  running: Type.Boolean({ description: 'Whether its service runs' }),
  version: Nullable('Version of the server'),
  reason: Nullable('Why it cannot be used'),
})
export type SqldbStatus = Static<typeof SqldbStatus>

const SqlProcess = Type.Object({
  id: Type.Integer({ minimum: 0, description: 'The number by which it is ended' }),
  user: Text(500, { description: 'Account; `system user` for a thread of the server' }),
  host: Text(500, { description: 'Where the client connects from, with its port' }),
  db: Nullable('Its default database'),
  command: Text(500, { description: 'Such as Query, or Sleep between two statements' }),
  time: Type.Integer({ minimum: 0, description: 'Seconds since it entered its state' }),
  state: Nullable('What the server does for it'),
  info: Type.Union([Text(2000), Type.Null()], {
    description: 'The statement that it runs, its first 2,000 characters on one line',
  }),
  blocked_by: Type.Array(Type.Integer({ minimum: 0 }), {
    maxItems: 5000,
    description: 'Connections whose locks it waits for',
  }),
})

export const SqlProcesses = Type.Object({
  processes: Type.Array(SqlProcess, { maxItems: 5000, description: 'The longest in their state first' }),
})
export type SqlProcesses = Static<typeof SqlProcesses>

export const ProcessPath = Type.Object({
  id: Text(100, { description: 'The number of a connection' }),
})
export const Killed = Type.Object({ killed: Type.Literal(true) })
export const KilledCount = Type.Object({
  killed: Type.Integer({ minimum: 0, description: 'How many connections were ended' }),
})

const Count = (description: string) => Type.Integer({ minimum: 0, description })
const Figure = (description: string) => Type.Number({ minimum: 0, description })

export const MonitorStats = Type.Object({
  stats: Type.Object({
    queries_per_sec: Figure('Statements of clients in a second: Questions'),
    connections: Count('Open connections: Threads_connected'),
    threads_running: Count('Connections that are not asleep: Threads_running'),
    slow_queries: Count('Statements above long_query_time since the start: Slow_queries'),
    aborted_connects: Count('Failed attempts to connect since the start: Aborted_connects'),
    buffer_hit_rate: Figure(
      'Percent of the page reads of InnoDB since the start that needed no disk: Innodb_buffer_pool_reads of Innodb_buffer_pool_read_requests',
    ),
  }),
  locks: Type.Object({
    table_locks_immediate: Count('Locks of tables granted at once: Table_locks_immediate'),
    table_locks_waited: Count('Locks of tables that were waited for: Table_locks_waited'),
    lock_ratio: Figure('Percent of the locks of tables that were waited for'),
  }),
  engine: Type.Object({
    buffer_pool_size: Text(50, { description: 'With its unit: innodb_buffer_pool_size' }),
    buffer_pool_used_pct: Figure(
      'Percent of its pages in use: Innodb_buffer_pool_pages_free of Innodb_buffer_pool_pages_total',
    ),
    row_reads_per_sec: Figure('Rows read in a second, by all engines: Handler_read_*'),
    row_writes_per_sec: Figure(
      'Rows written in a second, by all engines: Handler_write, Handler_update, Handler_delete',
    ),
    deadlocks: Count('Deadlocks in InnoDB since the start: Innodb_deadlocks'),
  }),
  databases: Type.Array(
    Type.Object({
      name: Prose(64, { description: 'Name of the database' }),
      size: Text(50, { description: 'With its unit' }),
      size_bytes: Count('Data and indexes, as the engines estimate them'),
    }),
    { maxItems: 10_000, description: 'The largest first, without those of the server itself' },
  ),
})
export type MonitorStats = Static<typeof MonitorStats>

export const SqldbSettings = Type.Object({
  path: Text(4096, { description: 'The file that the panel edits; the server reads it after its others' }),
  max_connections: Count('Connections at a time'),
  port: Count('TCP port'),
  read_only: Type.Boolean({ description: 'Whether changes of data are refused' }),
  remote: Type.Boolean({ description: 'Whether it listens for other hosts' }),
  bind_address: Text(500, { description: 'Addresses at which it listens; empty or * for all' }),
  running: Type.Boolean({ description: 'Whether its service runs' }),
  not_in_effect: Type.Array(Text(100), {
    maxItems: 10,
    description: 'Options of which the running server has another value',
  }),
})
export type SqldbSettings = Static<typeof SqldbSettings>

export const MaxConnections = Type.Object({
  max_connections: Type.Integer({
    minimum: 10,
    maximum: 100_000,
    description: 'Connections at a time; one more is kept for administrators',
    expects: 'a whole number from 10 to 100000, as the server accepts',
  }),
})
export const ServerPort = Type.Object({
  port: Type.Integer({
    minimum: 1024,
    maximum: 65_535,
    description: 'TCP port',
    expects: 'a port from 1024 to 65535: the server does not run as root',
  }),
})
export const ReadOnly = Type.Object({
  read_only: Type.Boolean({
    description: 'True refuses changes of data by accounts without the right READ ONLY ADMIN',
  }),
})
export const Remote = Type.Object({
  remote: Type.Boolean({ description: 'True listens at all addresses of the host, false at 127.0.0.1' }),
})

export const SlowLogQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: 500,
    default: 50,
    description: 'How many shapes of statements are listed',
    expects: 'a number from 1 to 500',
  }),
})

const Seconds = (description: string) => Type.Number({ minimum: 0, description })

export const SlowLog = Type.Object({
  enabled: Type.Boolean({ description: 'Whether the server logs slow statements' }),
  path: Text(4096, { description: 'The file to which it writes them' }),
  long_query_time: Seconds('From how many seconds on a statement is slow'),
  is_cut: Type.Boolean({ description: 'Whether the log is longer than the 8 MiB that are read' }),
  total: Count('Shapes of statements in the log'),
  queries: Type.Array(
    Type.Object({
      fingerprint: Text(2000, { description: 'The statement, with ? for each value' }),
      count: Count('How often it was slow'),
      total_seconds: Seconds('Time of all of them'),
      mean_seconds: Seconds('Average time'),
      max_seconds: Seconds('Longest time'),
      lock_seconds: Seconds('Time in which they waited for locks'),
      rows_sent: Count('Rows sent by all of them'),
      rows_examined: Count('Rows read by all of them'),
      databases: Type.Array(Prose(64), { maxItems: 10, description: 'Default databases of the clients' }),
      users: Type.Array(Prose(128), { maxItems: 10, description: 'Accounts of the clients' }),
    }),
    { maxItems: 500, description: 'The longest in total first' },
  ),
})
export type SlowLog = Static<typeof SlowLog>

export const SlowLogDraft = Type.Object({
  enabled: Type.Boolean({ description: 'Whether the server logs slow statements' }),
  long_query_time: Optional(
    Type.Number({
      minimum: 0,
      maximum: 3600,
      multipleOf: 0.001,
      description: 'From how many seconds on a statement is slow; left out, it stays',
      expects: 'seconds from 0 to 3600, with at most three decimals',
    }),
  ),
})
export type SlowLogDraft = Static<typeof SlowLogDraft>

export const TunerQuery = Type.Object({
  mysqltuner: Type.Boolean({ default: false, description: 'Whether mysqltuner is run too' }),
})

export const Tuner = Type.Object({
  uptime_seconds: Count('Seconds since the start of the server'),
  is_early: Type.Boolean({ description: 'Whether that is less than a day, too short for sound advice' }),
  advice: Type.Array(
    Type.Object({
      name: Text(100, { description: 'Setting of the server' }),
      current: Text(500, { description: 'Value of the running server' }),
      suggested: Text(500, { description: 'Value that suits the load better' }),
      reason: Text(500),
      figure: Type.Object(
        { name: Text(100), value: Figure('Its value') },
        { description: 'The figure behind it, since the start of the server' },
      ),
      needs_restart: Type.Boolean({ description: 'Whether applying it restarts the server' }),
    }),
    { maxItems: 50 },
  ),
  mysqltuner: Type.Object({
    installed: Type.Boolean({ description: 'Whether it is installed' }),
    version: Nullable('Its version'),
    recommendations: Type.Union([Type.Array(Prose(500), { maxItems: 100 }), Type.Null()], {
      description: 'What it recommends; null if it was not run, or failed',
    }),
    failure: Type.Union([Prose(1000), Type.Null()], { description: 'Why it gave no report' }),
  }),
})
export type Tuner = Static<typeof Tuner>

export const AdviceChoice = Type.Object({
  names: Type.Array(
    Type.String({
      maxLength: 100,
      pattern: '^[a-z_]+$',
      description: 'Setting',
      expects: 'the name of a setting such as max_connections',
    }),
    {
      minItems: 1,
      maxItems: 50,
      description: 'Settings of the advice that is applied',
      expects: 'a list of 1 to 50 names of settings',
    },
  ),
})
