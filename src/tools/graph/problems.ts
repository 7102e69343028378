import { problem } from '../../core/problem.ts'

export const GraphFailed = problem('idp_error', 400, 'Microsoft Graph refused the request')

/** Returns the failure of a link in an answer that leads elsewhere. */
export const foreignLink = (link: string) =>
  GraphFailed(
    `Microsoft Graph sent a link to another server: ${URL.parse(link)?.origin.slice(0, 300) ?? 'no address'}`,
  )

/** Statuses of a server that is busy or away for a while. */
export const passingStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

/** A refusal of Microsoft Graph: its status, its code and its message. */
export class GraphRefusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}
