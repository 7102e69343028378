// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const wordpress = client<typeof endpoints>({
  listWordPress: 'GET /wordpress',
  readWordPress: 'GET /wordpress/{id}',
  lookForUpdates: 'POST /wordpress/{id}/check',
  updateCore: 'POST /wordpress/{id}/core/update',
  deleteItems: 'POST /wordpress/{id}/deletions',
  hardenWordPress: 'PATCH /wordpress/{id}/hardening',
  createSignInLink: 'POST /wordpress/{id}/sign-in',
  setItemActive: 'POST /wordpress/{id}/state',
  updateItems: 'POST /wordpress/{id}/updates',
})
