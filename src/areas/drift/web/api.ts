// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const drift = client<typeof endpoints>({
  getDrift: 'GET /drift',
  checkNow: 'POST /drift/check',
  adoptDrift: 'POST /drift/{id}/adopt',
  revertDrift: 'POST /drift/{id}/revert',
})
