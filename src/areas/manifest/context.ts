import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import { type Authdns, authdns } from '../authdns/index.ts'
import { type Databases, databases } from '../databases/index.ts'
import type { Deps } from '../deps.ts'
import { type Firewall, firewall } from '../firewall/index.ts'
import { type Users, users } from '../users/index.ts'
import { type Websites, websites } from '../websites/index.ts'

/** The areas whose objects a manifest has, as the verbs of this area reach them. */
export interface Manifests {
  readonly users: Users
  readonly websites: Websites
  readonly databases: Databases
  readonly authdns: Authdns
  readonly firewall: Firewall
  readonly host: Pick<Host, 'files'>
}

/** Binds the area to the areas that it composes. */
export const openManifests = ({ host, use }: Deps): Manifests => ({
  users: use(users).users,
  websites: use(websites).websites,
  databases: use(databases).databases,
  authdns: use(authdns).authdns,
  firewall: use(firewall).firewall,
  host,
})

export interface Context {
  readonly manifest: Manifests
}

export const { endpoint, work } = area.of<Context>()
