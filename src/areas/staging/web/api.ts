// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const staging = client<typeof endpoints>({
  listStagingCopies: 'GET /staging',
  readWebsiteStaging: 'GET /websites/{id}/staging',
  createStagingCopy: 'POST /websites/{id}/staging',
  deleteStagingCopy: 'DELETE /websites/{id}/staging',
  pushStagingCopy: 'POST /websites/{id}/staging/push',
})
