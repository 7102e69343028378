import { at } from '../../../core/endpoint.ts'
import { data } from '../../../core/reply.ts'
import { connectProblems } from '../../../host/connect/index.ts'
import { endpoint } from '../context.ts'
import { MonitorStats } from '../model.ts'
import * as statistics from '../statistics.ts'

export const readStatistics = endpoint({
  method: 'GET',
  path: '/monitor-stats',
  summary: 'Read what the SQL server does now, and how large its databases are',
  description:
    'From the status variables of the server. Rates are differences of two readings, the former of the last call or, if that is older than a minute, of a second ago; they include the statements of the panel. Everything is zero while the server does not run.',
  effect: 'reads',
  reply: data(MonitorStats),
  throws: { sql_error: at(500, connectProblems.SqlRefused, connectProblems.ReplyTooLarge) },
  run: ({ sqldb, signal }) => statistics.readStatistics(sqldb, signal),
})
