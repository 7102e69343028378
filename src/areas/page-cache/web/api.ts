// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const pageCache = client<typeof endpoints>({
  readPageCache: 'GET /websites/{id}/page-cache',
  editPageCache: 'PATCH /websites/{id}/page-cache',
  purgePageCache: 'POST /websites/{id}/page-cache/purge',
})
