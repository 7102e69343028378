// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints/index.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const sqldb = client<typeof endpoints>({
  readSettings: 'GET /settings/sqldb',
  setMaxConnections: 'POST /settings/sqldb/max-connections',
  setPort: 'POST /settings/sqldb/port',
  setReadOnly: 'POST /settings/sqldb/read-only',
  setRemote: 'POST /settings/sqldb/remote',
  install: 'POST /sqldb/install',
  readStatistics: 'GET /sqldb/monitor-stats',
  listProcesses: 'GET /sqldb/processes',
  killAll: 'POST /sqldb/processes/kill-all',
  killProcess: 'POST /sqldb/processes/{id}/kill',
  restart: 'POST /sqldb/restart',
  readSlowLog: 'GET /sqldb/slow-log',
  changeSlowLog: 'POST /sqldb/slow-log',
  start: 'POST /sqldb/start',
  readStatus: 'GET /sqldb/status',
  stop: 'POST /sqldb/stop',
  readTuner: 'GET /sqldb/tuner',
  applyAdvice: 'POST /sqldb/tuner/apply',
  installTuner: 'POST /sqldb/tuner/install',
})
