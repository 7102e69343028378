// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const applications = client<typeof endpoints>({
  listApplications: 'GET /applications',
  installApplication: 'POST /applications',
  readApplicationCatalog: 'GET /applications/catalog',
})
