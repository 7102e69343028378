// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const uptime = client<typeof endpoints>({
  listMonitors: 'GET /uptime/monitors',
  createMonitor: 'POST /uptime/monitors',
  replaceMonitor: 'PUT /uptime/monitors/{id}',
  editMonitor: 'PATCH /uptime/monitors/{id}',
  deleteMonitor: 'DELETE /uptime/monitors/{id}',
  checkMonitor: 'POST /uptime/monitors/{id}/check',
  listHistory: 'GET /uptime/monitors/{id}/history',
  readStatistics: 'GET /uptime/monitors/{id}/statistics',
  toggleMonitor: 'POST /uptime/monitors/{id}/toggle',
  readStatus: 'GET /uptime/status',
})
