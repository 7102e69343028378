// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const docdbServer = client<typeof endpoints>({
  backUp: 'POST /docdb-server/backup',
  listBackups: 'GET /docdb-server/backups',
  deleteBackup: 'DELETE /docdb-server/backups/{name}',
  restart: 'POST /docdb-server/restart',
  restore: 'POST /docdb-server/restore',
  start: 'POST /docdb-server/start',
  readStatus: 'GET /docdb-server/status',
  stop: 'POST /docdb-server/stop',
  listUsers: 'GET /docdb-server/users',
  createUser: 'POST /docdb-server/users',
  deleteUser: 'DELETE /docdb-server/users/{username}',
})
