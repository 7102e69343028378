// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const users = client<typeof endpoints>({
  listUsers: 'GET /users',
  createUser: 'POST /users',
  listPermissionSlugs: 'GET /users/permission-slugs',
  registerExisting: 'POST /users/register-existing',
  getUser: 'GET /users/{uid}',
  editUser: 'PATCH /users/{uid}',
  deleteUser: 'DELETE /users/{uid}',
  listApiKeys: 'GET /users/{uid}/api-keys',
  createApiKey: 'POST /users/{uid}/api-keys',
  deleteApiKey: 'DELETE /users/{uid}/api-keys/{kid}',
  getPermissions: 'GET /users/{uid}/permissions',
  setPermissions: 'POST /users/{uid}/permissions',
  rewriteConfigs: 'POST /users/{uid}/rewrite-configs',
  readSudo: 'GET /users/{uid}/sudo',
  setSudo: 'POST /users/{uid}/sudo',
  listWebapps: 'GET /users/{uid}/webapps',
})
