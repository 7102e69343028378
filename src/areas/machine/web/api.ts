// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const machine = client<typeof endpoints>({
  readServerName: 'GET /settings/server-name',
  nameServer: 'POST /settings/server-name',
  readServerTimezone: 'GET /settings/server-timezone',
  setServerTimezone: 'POST /settings/server-timezone',
})
