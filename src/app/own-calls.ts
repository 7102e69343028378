import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AgentAnswer } from '../core/agent.ts'
import { GatewayTimeout, Unavailable } from '../core/problem.ts'
import type { OwnCall, OwnRequest } from '../surfaces/mcp/index.ts'

const timeoutMs = 90_000
const mostBytes = 4 * 1024 * 1024

/** Calls of the panel to its own API over loopback; its address is known once it listens. */
export interface OwnCalls {
  readonly call: OwnCall
  /** Says where the panel listens on loopback. */
  reachAt(port: () => number | Promise<number>): void
}

/** Opens the calls. A call has 90 s, and at most 4 MiB of its answer are read. */
export function openOwnCalls({ limitMs = timeoutMs }: { readonly limitMs?: number } = {}): OwnCalls {
  let port: (() => number | Promise<number>) | undefined
  return {
    call: async (asked) => {
      if (port === undefined) throw Unavailable('The panel does not listen yet')
      return send(asked, await port(), limitMs)
    },
    reachAt: (found) => void (port = found),
  }
}

async function send(
  { method, path, body, headers: more, token, signal: left }: OwnRequest,
  port: number,
  limitMs: number,
): Promise<AgentAnswer> {
  const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const headers = {
    ...more,
    authorization: `Bearer ${token}`,
    'x-replication-source': 'mcp',
    ...(content && { 'content-type': 'application/json', 'content-length': content.length }),
  }
  const late = AbortSignal.timeout(limitMs)
  const signal = AbortSignal.any([late, left])
  const sent = request({ host: '127.0.0.1', port, method, path, headers, signal, agent: false })
  // `once` stops listening when the signal aborts, before the request says so: an error that nobody hears ends the panel
  sent.on('error', () => {})
  try {
    sent.end(content)
    const [reply]: IncomingMessage[] = await once(sent, 'response', { signal })
    if (reply === undefined) throw new Error('no reply')
    const planDigest = reply.headers['x-plan-digest']
    return {
      status: reply.statusCode ?? 0,
      ...(await readStart(reply, late)),
      ...(typeof planDigest === 'string' && { planDigest }),
    }
  } catch (error) {
    left.throwIfAborted()
    if (late.aborted) throw GatewayTimeout(`The endpoint did not answer within ${limitMs / 1000} s`)
    throw error
  }
}

/** Reads the answer up to the limit. A stream that has no end is read until the time is over. */
async function readStart(
  reply: IncomingMessage,
  late: AbortSignal,
): Promise<Pick<AgentAnswer, 'text' | 'isTruncated'>> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of reply) {
      chunks.push(chunk)
      size += chunk.length
      if (size > mostBytes) break // leaving the loop destroys the stream
    }
  } catch (error) {
    if (!late.aborted) throw error
  }
  const text = Buffer.concat(chunks).subarray(0, mostBytes).toString()
  return { text, isTruncated: size > mostBytes || late.aborted }
}
