// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const system = client<typeof endpoints>({
  getInfo: 'GET /system/info',
  listIps: 'GET /system/ips',
  readMetrics: 'GET /system/metrics',
  checkPort: 'POST /system/portcheck',
  getPublicIp: 'GET /system/public-ip',
  rewriteAll: 'POST /system/rewrite-all',
})
