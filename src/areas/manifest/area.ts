import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import { authdns } from '../authdns/index.ts'
import { databases } from '../databases/index.ts'
import type { Deps } from '../deps.ts'
import { firewall } from '../firewall/index.ts'
import { notifications } from '../notifications/index.ts'
import { replicationServers } from '../replication-servers/index.ts'
import { users } from '../users/index.ts'
import { websites } from '../websites/index.ts'
import { applying } from './apply.ts'
import { type Context, openManifests } from './context.ts'
import * as endpoints from './endpoints.ts'
import { Manifest } from './manifest-model.ts'
import { createLeftovers } from './migrations/202611300850-manifest-leftovers.ts'
import { ManifestApplied, ManifestDraft, ManifestPlan, ManifestPlanDraft, Operation } from './model.ts'
import { noticesOfManifests } from './notices.ts'

export const manifest = area({
  name: 'manifest',
  title: 'Manifest',
  base: '/manifest',
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: { Manifest, ManifestApplied, ManifestDraft, ManifestPlan, ManifestPlanDraft, Operation },
  migrations: [createLeftovers],
  jobs: [applying],
  steps: ({ manifest: { removal } }: Context) => [removal.kind],
  uses: [users, websites, databases, authdns, firewall, replicationServers, notifications],
  contributes: ({ manifest: on }: Context) => [noticesOfManifests(on)],
  open: (deps: Deps): Context => ({ manifest: openManifests(deps) }),
})
