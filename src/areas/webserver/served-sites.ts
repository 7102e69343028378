import type { Lock } from '../../core/lock.ts'
import { point } from '../../core/point.ts'
import type { Visit } from '../../tools/site-client.ts'
import type { WebServer } from '../../tools/web-server.ts'

/** Why a site cannot be served by another web server. */
export interface Obstacle {
  /** Of the site; the name of a user for what outlives the user's sites. */
  readonly domain: string
  readonly reason: string
}

/** What an area has the web server serve. */
export interface ServedSites {
  readonly locks: readonly Lock[]
  /** What a switch fetches before and afterwards. */
  readonly visits: readonly Visit[]
  /** Reports what prevents a switch from one server to another. */
  obstacles(from: WebServer, to: WebServer): Promise<readonly Obstacle[]>
  /** Renders the files of all sites; called only where there is no obstacle. */
  files(server: WebServer): readonly { readonly domain: string; readonly content: string }[]
}

/** The sites of areas, which a switch of the web server renders again. */
export const servedSites = point<() => Promise<ServedSites>>('sites of the web server')
