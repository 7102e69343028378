import { area } from '../../core/area.ts'
import { auth, type Auth } from '../auth/index.ts'
import type { Deps } from '../deps.ts'
import { type Users, users } from '../users/index.ts'
import { type OwnCertificate, openCertificate } from './certificate.ts'
import { type McpKeyQueries, mcpKeyQueries } from './store.ts'

/** The keys of agents and the surface that they call, as the verbs of the area reach them. */
export interface Mcp {
  readonly queries: McpKeyQueries
  readonly users: Users
  readonly credentials: Auth['credentials']
  readonly certificate: OwnCertificate
}

/** Binds the area to its store, the users and the panel's certificate. */
export function openMcp({ store, host: { files }, settings, use }: Deps): Mcp {
  return {
    queries: mcpKeyQueries(store),
    users: use(users).users,
    credentials: use(auth).auth.credentials,
    certificate: openCertificate(files, settings),
  }
}

export interface Context {
  readonly mcp: Mcp
}

export const { endpoint } = area.of<Context>()
