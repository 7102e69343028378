import type { Static } from 'typebox'
import type { Tokens as TokensSchema } from '../areas/auth/model.ts'

export type Tokens = Static<typeof TokensSchema>

/** Bump this when the format of the data that this client stores in the browser changes. */
export const clientVersion = '1'

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly total: number
  readonly page: number
  readonly per_page: number
}

/** An error with the server's message; `field` is the part of the request that it names, if any. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly field: string | undefined
  readonly fields: Readonly<Record<string, unknown>>

  constructor(
    status: number,
    error: { readonly code?: string; readonly message?: string } & Record<string, unknown>,
  ) {
    super(error.message ?? `The panel answered ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.code = error.code ?? ''
    this.field = /^([A-Za-z_][\w.]*): /.exec(this.message)?.[1]
    this.fields = error
  }

  /** The message without the field's name, for display at the field. */
  get reason(): string {
    const text = this.field ? this.message.slice(this.field.length + 2) : this.message
    // leave a leading identifier as it is
    return /^[a-z]+[ ,]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
  }
}

/** Returns true if the error itself states that nothing was changed. */
export const leavesAllAsItWas = (error: unknown): boolean =>
  error instanceof ApiError && /\bNothing was changed\.$/.test(error.message)

/** Returns a readable message for any error. */
export function textOf(error: unknown): string {
  if (error instanceof ApiError) return error.reason
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return 'The panel did not answer in time.'
  if (error instanceof TypeError) return 'The panel cannot be reached. Check the connection and try again.'
  return error instanceof Error ? error.message : String(error)
}
