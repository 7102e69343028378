// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const webadmin = client<typeof endpoints>({
  readWebadmin: 'GET /sqldb/webadmin',
  installWebadmin: 'POST /sqldb/webadmin/install',
  signInToWebadmin: 'POST /sqldb/webadmin/login',
  updateWebadmin: 'POST /sqldb/webadmin/update',
})
