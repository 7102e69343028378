import { at, local } from '../../../core/endpoint.ts'
import { data } from '../../../core/reply.ts'
import { KillFailed } from '../../../tools/mariadb/index.ts'
import { endpoint } from '../context.ts'
import { unanswered } from '../failures.ts'
import { Killed, KilledCount, ProcessPath, SqlProcesses } from '../model.ts'
import * as processes from '../processes.ts'

const ofThisHost = local('the connections are those of the server of this host')

export const listProcesses = endpoint({
  method: 'GET',
  path: '/processes',
  summary: 'List the connections to the SQL server and what they do, the longest first',
  description:
    'From information_schema.processlist. `blocked_by` names the connections that hold the row locks of InnoDB which one waits for; a wait for a lock of a whole table shows in `state` alone. The connection that reads the list is left out.',
  effect: 'reads',
  reply: data(SqlProcesses),
  throws: { sql_error: at(500, ...unanswered) },
  run: ({ sqldb }) => processes.listProcesses(sqldb),
})

export const killProcess = endpoint({
  method: 'POST',
  path: '/processes/{id}/kill',
  summary: 'End the connection of a client; its transaction is rolled back',
  effect: 'destroys',
  category: ofThisHost,
  params: ProcessPath,
  reply: data(Killed),
  throws: { kill_failed: at(500, KillFailed, ...unanswered) },
  run: ({ params, sqldb }) => processes.killProcess(sqldb, params.id),
})

export const killAll = endpoint({
  method: 'POST',
  path: '/processes/kill-all',
  summary: 'End every connection that runs a statement',
  description:
    'Connections that sleep, threads of the server and of replication, and the connections of the panel stay.',
  effect: 'destroys',
  category: ofThisHost,
  reply: data(KilledCount),
  throws: { sql_error: at(500, ...unanswered) },
  run: ({ sqldb }) => processes.killAll(sqldb),
})
