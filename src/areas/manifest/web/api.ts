// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const manifest = client<typeof endpoints>({
  applyManifest: 'POST /manifest/apply',
  exportManifest: 'GET /manifest/export',
  planManifest: 'POST /manifest/plan',
})
