import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { type Context, openReplication } from './context.ts'
import * as endpoints from './endpoints/index.ts'
import { createReplicationServers } from './migrations/202611281610-replication-servers.ts'
import { Action, CategorySwitch, ReplicationServer, ServerDraft, ServerEdit } from './model.ts'
import { naturalKeys } from './natural-keys.ts'
import { pruneOldActions } from './tidy.ts'

export const replicationServers = area({
  name: 'replication-servers',
  title: 'Replication servers',
  base: '/replication-servers',
  guard: permission('plugins_management'),
  errors: 'message-only',
  endpoints,
  schemas: { Action, CategorySwitch, ReplicationServer, ServerDraft, ServerEdit },
  jobs: [pruneOldActions],
  steps: ({ replication }: Context) => [replication.retryStep],
  migrations: [createReplicationServers],
  points: [naturalKeys],
  menu: { group: 'Network', path: '/replication-servers', order: 60 },
  background: ({ replication }: Context) => replication.courier.start(),
  open: (deps: Deps): Context => ({ replication: openReplication(deps) }),
})
