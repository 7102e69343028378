import { failures, local } from '../../../core/endpoint.ts'
import { superuser } from '../../../core/guard.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { notLoaded } from '../failures.ts'
import { MaxConnections, ReadOnly, Remote, ServerPort, SqldbSettings } from '../model.ts'
import { PortHeld } from '../problems.ts'
import * as settings from '../settings.ts'

const ofSettings = { base: '/settings', guard: superuser } as const
const reading = endpoint.with(ofSettings)
const changing = endpoint.with({
  ...ofSettings,
  category: local('each host has an SQL server of its own'),
  throws: notLoaded,
  timeoutMs: 300_000,
})

export const readSettings = reading({
  method: 'GET',
  path: '/sqldb',
  summary: 'Read the settings of the SQL server',
  description:
    'As the server takes them from all of its option files (`mariadbd --help --verbose`). `not_in_effect` names those that differ in the running server.',
  effect: 'reads',
  reply: data(SqldbSettings),
  throws: { config_failed: notLoaded.config_failed, sql_error: notLoaded.sql_error },
  run: ({ sqldb }) => settings.readSettings(sqldb),
})

export const setMaxConnections = changing({
  method: 'POST',
  path: '/sqldb/max-connections',
  summary: 'Set how many connections the SQL server accepts at a time',
  effect: 'changes',
  body: MaxConnections,
  reply: succeeded,
  run: ({ body, sqldb }) => settings.setMaxConnections(sqldb, body.max_connections),
})

export const setPort = changing({
  method: 'POST',
  path: '/sqldb/port',
  summary: 'Set the port of the SQL server, and restart it',
  effect: 'changes',
  body: ServerPort,
  reply: succeeded,
  throws: failures({ conflict: PortHeld }),
  run: ({ body, sqldb }) => settings.setPort(sqldb, body.port),
})

export const setReadOnly = changing({
  method: 'POST',
  path: '/sqldb/read-only',
  summary: 'Set whether the SQL server refuses changes of data',
  effect: 'changes',
  body: ReadOnly,
  reply: succeeded,
  run: ({ body, sqldb }) => settings.setReadOnly(sqldb, body.read_only),
})

export const setRemote = changing({
  method: 'POST',
  path: '/sqldb/remote',
  summary: 'Set whether the SQL server listens for other hosts, and restart it',
  description: 'The firewall is not changed: open the port there for the hosts that may connect.',
  effect: 'changes',
  body: Remote,
  reply: succeeded,
  run: ({ body, sqldb }) => settings.setRemote(sqldb, body.remote),
})
