// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints/index.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const replicationServers = client<typeof endpoints>({
  listServers: 'GET /replication-servers',
  addServer: 'POST /replication-servers',
  readReference: 'GET /replication-servers/references',
  readServer: 'GET /replication-servers/{id}',
  editServer: 'PUT /replication-servers/{id}',
  deleteServer: 'DELETE /replication-servers/{id}',
  listActions: 'GET /replication-servers/{id}/action-log',
  clearActions: 'DELETE /replication-servers/{id}/action-log',
  retryAction: 'POST /replication-servers/{id}/action-log/{action_id}/retry',
  listCategories: 'GET /replication-servers/{id}/categories',
  setCategories: 'PUT /replication-servers/{id}/categories',
  setCategory: 'PATCH /replication-servers/{id}/categories/{category}',
  testServer: 'POST /replication-servers/{id}/test',
  toggleServer: 'POST /replication-servers/{id}/toggle',
})
