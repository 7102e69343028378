import type { Fetch } from '../../host/fetch/index.ts'

/** An application that is registered in a directory, and its secret. */
export interface GraphSettings {
  readonly tenantId: string
  readonly clientId: string
  readonly clientSecret: string
}

/** How long a request is repeated that the server is too busy for, or that does not reach it. */
export interface Patience {
  readonly attempts: number
  /** The pause before the second attempt; each further one is twice as long. */
  readonly firstPauseMs: number
  /** The longest pause, also where the server asks for a longer one. */
  readonly mostPauseMs: number
}

/** How the servers are reached. */
export interface GraphDoors {
  readonly fetch: Pick<Fetch, 'exchange' | 'stream'>
  readonly graphUrl: string
  readonly loginUrl: string
  /** Default: that of a run in the background, which waits for a quarter of an hour. */
  readonly patience?: Partial<Patience>
}
