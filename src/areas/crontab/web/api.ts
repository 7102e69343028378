// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const crontab = client<typeof endpoints>({
  getCrontab: 'GET /websites/{id}/crontab',
  replaceCrontab: 'PUT /websites/{id}/crontab',
  runCrontabLine: 'POST /websites/{id}/crontab/run',
})
