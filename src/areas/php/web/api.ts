// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const php = client<typeof endpoints>({
  readSecurity: 'GET /settings/php-security',
  changeSecurity: 'POST /settings/php-security',
  listVersions: 'GET /settings/php/available',
  installVersion: 'POST /settings/php/install',
  removeVersion: 'POST /settings/php/remove',
  readConfig: 'GET /settings/php/{version}/config',
  changeConfig: 'POST /settings/php/{version}/config',
})
