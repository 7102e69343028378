import type { RowWrite } from '../../core/change.ts'
import { type Answering, entryOf } from './change.ts'
import { isUpload } from './idempotency.ts'

/**
 * Returns what a request puts into the outbox for other panels. A change that another panel has repeated here
 * goes no further, so that no loop arises.
 */
export async function outboxOf(
  { route, gates, scope, request }: Answering,
  { request: shown }: Pick<ReturnType<typeof entryOf>, 'request'>,
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
