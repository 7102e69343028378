import type { FastifyRequest } from 'fastify'
import { RequestTimeout } from '../../core/problem.ts'

type Raw = FastifyRequest['raw']

const checks = 4

/**
 * Rejects with RequestTimeout if nothing of a body arrives for `stalledMs` while it is being read. A body
 * that waits for its reader has not stalled.
 */
export function stallOf(raw: Raw, stalledMs: number): Promise<never> {
  const stalled = new Promise<never>((_resolve, reject) => {
    let arrivedBytes = raw.socket.bytesRead
    let idleChecks = 0
    const timer = setInterval(() => {
      const { bytesRead } = raw.socket
      idleChecks = bytesRead === arrivedBytes && isAwaited(raw) ? idleChecks + 1 : 0
      arrivedBytes = bytesRead
      if (idleChecks < checks) return
      clearInterval(timer)
      reject(RequestTimeout(`body: nothing more of it arrived for ${stalledMs / 1000} s`))
    }, stalledMs / checks).unref()
    for (const end of ['end', 'close']) raw.once(end, () => clearInterval(timer))
  })
  stalled.catch(() => {}) // after the last byte or a refusal, the rejection has no recipient
  return stalled
}

function isAwaited(raw: Raw): boolean {
  return !raw.complete && raw.readableFlowing === true && raw.readableLength === 0
}
