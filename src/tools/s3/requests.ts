import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

const attempts = 3
const pauseMs = 500
const shortMs = 60_000
const partMs = 900_000
const downloadMs = 6 * 3_600_000

/** Sends the requests of one operation, with limits of time; those that a server or the network fails are sent again. */
export function requestsOf(
  signal: AbortSignal,
  limitMs: number,
): { readonly fetch: typeof fetch; lastStatus(): number } {
  let last = 0
  const attempt = async (input: Parameters<typeof fetch>[0], init: RequestInit, turn: number) => {
    const response = await fetch(input, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(Math.min(limitMs, limitOf(init)))]),
    }).catch((error: unknown) => {
      signal.throwIfAborted()
      if (turn >= attempts) throw error
      return undefined
    })
    last = response?.status ?? 0
    if (response !== undefined && (turn >= attempts || !isPassing(response.status))) return response
    await response?.body?.cancel()
    await sleep(pauseMs * turn, undefined, { signal })
    return undefined
  }
  const send: typeof fetch = async (input, init = {}) => {
    const checked = withDigest(init)
    for (let turn = 1; ; turn += 1) {
      const response = await attempt(input, checked, turn)
      if (response !== undefined) return response
    }
  }
  return { fetch: send, lastStatus: () => last }
}

const isPassing = (status: number): boolean => status >= 500 || status === 429

function limitOf({ method = 'GET' }: RequestInit): number {
  if (method === 'PUT') return partMs
  return method === 'GET' ? downloadMs : shortMs
}

/** The server refuses a body that has changed on the way. */
function withDigest(init: RequestInit): RequestInit {
  if (!(init.body instanceof Uint8Array)) return init
  const headers = new Headers(init.headers)
  headers.delete('host') // fetch sets it
  headers.set('content-md5', createHash('md5').update(init.body).digest('base64'))
  return { ...init, headers }
}
