// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints/index.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const containers = client<typeof endpoints>({
  listContainerBackups: 'GET /containers/backups',
  restoreContainer: 'POST /containers/backups/restore',
  readCatalog: 'GET /containers/catalog',
  launchApp: 'POST /containers/catalog/launch',
  listContainers: 'GET /containers/containers',
  createContainer: 'POST /containers/containers',
  editContainer: 'PUT /containers/containers/{id}',
  removeContainer: 'DELETE /containers/containers/{id}',
  backUpContainer: 'POST /containers/containers/{id}/backup',
  cloneContainer: 'POST /containers/containers/{id}/clone',
  readConfig: 'GET /containers/containers/{id}/config',
  openContainerTerminal: 'GET /containers/containers/{id}/exec',
  listContainerHistory: 'GET /containers/containers/{id}/history',
  inspectContainer: 'GET /containers/containers/{id}/inspect',
  followContainerLog: 'GET /containers/containers/{id}/logs',
  publishContainer: 'POST /containers/containers/{id}/publish',
  upgradeContainer: 'POST /containers/containers/{id}/upgrade',
  switchContainer: 'POST /containers/containers/{id}/{action}',
  readContainerExposure: 'GET /containers/exposure',
  limitContainerPort: 'PUT /containers/exposure',
  listImages: 'GET /containers/images',
  pullImage: 'POST /containers/images/pull',
  removeImage: 'DELETE /containers/images/{id}',
  installEngine: 'POST /containers/install',
  pruneContainers: 'POST /containers/prune',
  listStacks: 'GET /containers/stacks',
  launchStack: 'POST /containers/stacks/launch',
  upgradeStack: 'POST /containers/stacks/{instance}/upgrade',
  actOnStack: 'POST /containers/stacks/{instance}/{action}',
  followContainerStats: 'GET /containers/stats',
  readEngine: 'GET /containers/status',
})
