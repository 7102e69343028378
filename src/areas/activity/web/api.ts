// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const activity = client<typeof endpoints>({
  listActivity: 'GET /activity',
  listActions: 'GET /activity/actions',
  showChain: 'GET /activity/chain',
  exportChain: 'GET /activity/chain/export',
  exportActivity: 'GET /activity/export',
  listOwnActivity: 'GET /activity/mine',
  verifyActivity: 'GET /activity/verify',
  readEntry: 'GET /activity/{id}',
  undoChange: 'POST /activity/{id}/undo',
})
