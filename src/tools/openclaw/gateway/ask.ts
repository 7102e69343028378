import { GatewayFailed } from '../problems.ts'
import { connectGateway, type GatewayTarget, messageOf } from './connect.ts'

const callLimitMs = 30_000

/** Calls one method of the gateway over a connection of its own, and returns its answer. */
export async function askGateway(
  target: Omit<GatewayTarget, 'signal'> & { readonly signal?: AbortSignal | undefined },
  method: string,
  params: object = {},
): Promise<Readonly<Record<string, unknown>>> {
  const limit = AbortSignal.timeout(callLimitMs)
  const signal = target.signal === undefined ? limit : AbortSignal.any([limit, target.signal])
  const connection = await connectGateway({ ...target, signal })
  try {
    connection.request('call', method, params)
    for (;;) {
      const frame = await connection.next()
      if (frame === undefined) throw GatewayFailed(`OpenClaw: ${method}: ${connection.end ?? 'no answer'}`)
      if (frame.type !== 'res' || frame.id !== 'call') continue
      if (!frame.isOk) throw GatewayFailed(`OpenClaw: ${method}: ${messageOf(frame.error)}`)
      return frame.payload
    }
  } finally {
    connection.close()
  }
}
