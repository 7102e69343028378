// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const ssh = client<typeof endpoints>({
  readSshAccess: 'GET /users/{uid}/ssh-access',
  listSshKeys: 'GET /users/{uid}/ssh-keys',
  addSshKey: 'POST /users/{uid}/ssh-keys',
  deleteSshKey: 'DELETE /users/{uid}/ssh-keys/{id}',
})
