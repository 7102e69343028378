// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const snapshots = client<typeof endpoints>({
  listSnapshots: 'GET /system/snapshots',
  createSnapshot: 'POST /system/snapshots',
  deleteSnapshot: 'DELETE /system/snapshots/{name}',
  restoreSnapshot: 'POST /system/snapshots/{name}/restore',
})
