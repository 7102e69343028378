import { local } from '../../../core/endpoint.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { notLoaded } from '../failures.ts'
import { SlowLog, SlowLogDraft, SlowLogQuery } from '../model.ts'
import * as slowLog from '../slow-log.ts'

export const readSlowLog = endpoint({
  method: 'GET',
  path: '/slow-log',
  summary: 'List the slow statements by their shape, the longest in total first',
  description:
    'From the last 8 MiB of the slow log of the server, which begins anew at 64 MiB. Values and comments are left out of the statements.',
  effect: 'reads',
  query: SlowLogQuery,
  reply: data(SlowLog),
  throws: { config_failed: notLoaded.config_failed, sql_error: notLoaded.sql_error },
  run: ({ query, sqldb }) => slowLog.readSlowLog(sqldb, query.limit),
})

export const changeSlowLog = endpoint({
  method: 'POST',
  path: '/slow-log',
  summary: 'Switch the log of slow statements, and set what is slow',
  effect: 'changes',
  category: local('each host has an SQL server of its own'),
  body: SlowLogDraft,
  reply: succeeded,
  timeoutMs: 300_000,
  throws: notLoaded,
  run: ({ body, sqldb }) => slowLog.changeSlowLog(sqldb, body),
})
