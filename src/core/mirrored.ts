import type { Caller } from './caller.ts'
import type { RowWrite } from './change.ts'
import type { Category, Endpoint, Method } from './endpoint.ts'

/** A request whose change other panels may repeat. */
export interface Mirrored {
  readonly category: Category
  readonly method: Method
  /** With parameters as `{id}`. */
  readonly path: string
  /** As it was sent, with the query. */
  readonly url: string
  /** The name of the area of the endpoint. */
  readonly area: string
  readonly endpoint: Pick<Endpoint, 'params' | 'body'>
  readonly params: unknown
  /** The body as it was sent; absent for an upload, and where there is none. */
  readonly body: string | undefined
  readonly isUpload: boolean
  /** The input without secrets, as the activity log has it. */
  readonly shown: string
  readonly caller: Caller | undefined
}

/** Returns the inserts by which other panels get to know of the request; none where nobody is to repeat it. */
export type Outbox = (mirrored: Mirrored) => Promise<readonly RowWrite[]>
