import { problem } from '../../core/problem.ts'

export const GraphFailed = problem('idp_error', 400, 'Microsoft Graph refused the request')

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
