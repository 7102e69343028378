// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const jobs = client<typeof endpoints>({
  listJobs: 'GET /jobs',
  getJob: 'GET /jobs/{id}',
  stopJob: 'POST /jobs/{id}/cancel',
  followJob: 'GET /jobs/{id}/events',
})
