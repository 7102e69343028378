import type { Fetch } from '../../host/fetch/index.ts'

/** An application that is registered in a directory, and its secret. */
export interface GraphSettings {
  readonly tenantId: string
  readonly clientId: string
  readonly clientSecret: string
}

/** How the servers are reached. */
export interface GraphDoors {
  readonly fetch: Pick<Fetch, 'exchange' | 'stream'>
  readonly graphUrl: string
  readonly loginUrl: string
  /** The first pause before a request is repeated; each further one is twice as long. Default: a second. */
  readonly pauseMs?: number
}
