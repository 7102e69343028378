import type { FastifyReply } from 'fastify'
import type { Endpoint } from '../../core/endpoint.ts'
import type { Credentials } from './authenticate.ts'
import type { Scope } from './scope.ts'

/**
 * True if a request may last as long as its transfer; it ends at once with the caller's credential (decision
 * 2.5).
 */
export function dependsOnCredential({ reply, body }: Endpoint): boolean {
  if (['events', 'followed', 'awaited', 'bytes', 'socket'].includes(reply.kind)) return true
  return body !== undefined && 'kind' in body && body.kind === 'upload'
}

/** Ends a run with the credential of its caller. */
export function endWithCredential(credentials: Credentials, scope: Scope, raw: FastifyReply['raw']): void {
  if (scope.callerIfAny === undefined) return
  const { signal, release } = credentials.hold(scope.callerIfAny)
  const end = () => scope.leave(signal.reason)
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  raw.once('close', () => {
    signal.removeEventListener('abort', end)
    release()
  })
}
