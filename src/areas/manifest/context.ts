import { area } from '../../core/area.ts'
import type { AnyStepKind } from '../../core/change.ts'
import type { Host } from '../../host/index.ts'
import { type Authdns, authdns } from '../authdns/index.ts'
import { type Databases, databases } from '../databases/index.ts'
import type { Deps } from '../deps.ts'
import { type Firewall, firewall } from '../firewall/index.ts'
import { replicationServers } from '../replication-servers/index.ts'
import { type Users, users } from '../users/index.ts'
import { type Websites, websites } from '../websites/index.ts'
import { removeTogether } from './remove-together.ts'
import { type LeftoverQueries, leftoverQueries } from './store.ts'

/** The areas whose objects a manifest has, as the verbs of this area reach them. */
export interface Manifests {
  readonly users: Users
  readonly websites: Websites
  readonly databases: Databases
  readonly authdns: Authdns
  readonly firewall: Firewall
  readonly host: Pick<Host, 'files'>
  /** Removes what cannot be restored: databases, and users of engines that keep their passwords to themselves. */
  readonly removal: {
    readonly kind: ReturnType<typeof removeTogether>
    readonly kinds: readonly AnyStepKind[]
  }
  readonly queries: LeftoverQueries
  /** True if other panels repeat changes of this one. */
  readonly hasPeers: () => Promise<boolean>
}

/** Binds the area to the areas that it composes. */
export function openManifests({ host, store, tools, use }: Deps): Manifests {
  const { queries: peers } = use(replicationServers).replication
  const kinds = [
    tools.mariadb.steps.dropDatabase,
    tools.postgresql.steps.dropDatabase,
    tools.mongodb.steps.dropDatabase,
    tools.mongodb.steps.setAccount,
  ]
  return {
    users: use(users).users,
    websites: use(websites).websites,
    databases: use(databases).databases,
    authdns: use(authdns).authdns,
    firewall: use(firewall).firewall,
    host,
    removal: { kind: removeTogether(kinds), kinds },
    queries: leftoverQueries(store),
    hasPeers: async () => (await peers.all()).length > 0,
  }
}

export interface Context {
  readonly manifest: Manifests
}

export const { endpoint, work } = area.of<Context>()
