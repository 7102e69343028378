import type { RpcAnswer } from '../../core/agent.ts'
import type { Rpc } from '../../core/reply.ts'

interface RpcErrorOptions {
  /** The status of HTTP; the contract has none for failures. */
  readonly status?: Rpc<unknown>['status']
  readonly data?: object
}

/** A request that JSON-RPC answers with an error. */
export class RpcError extends Error {
  readonly code: number
  readonly options: RpcErrorOptions

  constructor(code: number, message: string, options: RpcErrorOptions = {}) {
    super(message)
    this.code = code
    this.options = options
  }

  /** Returns the answer to the request with this id. */
  answerTo(id: unknown): Rpc<RpcAnswer> {
    const { code, message, options } = this
    const { status = 200, data } = options
    return { status, message: { jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } } }
  }
}
