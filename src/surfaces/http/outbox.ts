import type { FastifyRequest } from 'fastify'
import type { RowWrite } from '../../core/change.ts'
import type { Outbox } from '../../core/mirrored.ts'
import type { Route } from '../routes.ts'
import { isUpload } from './idempotency.ts'
import type { Scope } from './scope.ts'

interface Asked {
  readonly route: Route
  readonly gates: { readonly outbox?: Outbox | undefined }
  readonly scope: Scope
  readonly request: FastifyRequest
}

/**
 * Returns what a request puts into the outbox for other panels. A change that another panel has repeated here
 * goes no further, so that no loop arises.
 */
export async function outboxOf(
  { route, gates, scope, request }: Asked,
  { request: shown }: { readonly request: string },
): Promise<readonly RowWrite[]> {
  const { endpoint, path, area } = route
  if (gates.outbox === undefined || typeof endpoint.category !== 'string' || request.isFromPeer) return []
  return gates.outbox({
    ...{ category: endpoint.category, method: endpoint.method, path, url: request.url, area: area.name },
    ...{ endpoint, params: scope.params, shown, caller: scope.callerIfAny },
    body: typeof request.body === 'string' && request.body !== '' ? request.body : undefined,
    isUpload: isUpload(scope.body),
  })
}
