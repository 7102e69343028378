// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const uptime = client<typeof endpoints>({
  listMaintenance: 'GET /uptime/maintenance',
  planMaintenance: 'POST /uptime/maintenance',
  deleteMaintenance: 'DELETE /uptime/maintenance/{id}',
  listMonitors: 'GET /uptime/monitors',
  createMonitor: 'POST /uptime/monitors',
  replaceMonitor: 'PUT /uptime/monitors/{id}',
  editMonitor: 'PATCH /uptime/monitors/{id}',
  deleteMonitor: 'DELETE /uptime/monitors/{id}',
  readAvailability: 'GET /uptime/monitors/{id}/availability',
  checkMonitor: 'POST /uptime/monitors/{id}/check',
  listHistory: 'GET /uptime/monitors/{id}/history',
  readResponseTimes: 'GET /uptime/monitors/{id}/response-times',
  readStatistics: 'GET /uptime/monitors/{id}/statistics',
  toggleMonitor: 'POST /uptime/monitors/{id}/toggle',
  readPublicStatus: 'GET /uptime/public',
  readSparklines: 'GET /uptime/sparklines',
  readStatus: 'GET /uptime/status',
  readStatusPage: 'GET /uptime/status-page',
  setStatusPage: 'PUT /uptime/status-page',
})
