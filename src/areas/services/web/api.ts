// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const services = client<typeof endpoints>({
  listServices: 'GET /services',
  getService: 'GET /services/{name}',
  disableService: 'POST /services/{name}/disable',
  enableService: 'POST /services/{name}/enable',
  followServiceLog: 'GET /services/{name}/logs',
  reloadService: 'POST /services/{name}/reload',
  restartService: 'POST /services/{name}/restart',
  startService: 'POST /services/{name}/start',
  stopService: 'POST /services/{name}/stop',
})
