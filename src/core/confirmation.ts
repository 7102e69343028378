import Type from 'typebox'
import { type AnyStepKind, change, step } from './change.ts'
import type { Declare } from './declare.ts'
import { local } from './endpoint.ts'
import type { Lock } from './lock.ts'
import { ConnectionUnproven, OldConnection } from './problem.ts'
import { succeeded, success } from './reply.ts'
import { Id } from './schemas.ts'

/** The changes that are undone unless they are confirmed in time. */
export interface Provisional {
  /** Throws NotFound unless it is a provisional change that holds the lock, or has held it. */
  load(changeId: number, lock: Lock): Promise<{ readonly id: number; readonly summary: string }>
  /**
   * Throws Conflict if it no longer waits, or OldConnection unless the connection, opened at this time of
   * `performance.now()`, is younger than the change: an older one proves nothing.
   */
  assertAwaits(changeId: number, connectedAt: number | null): void
  /** The kind of step that confirms or cancels such a change. */
  readonly endStep: AnyStepKind
}

interface ConfirmationDraft<Context> {
  /** The lock that the provisional changes of the area name. */
  readonly lock: Lock
  readonly on: (context: Context) => Provisional
}

/** Makes the function with which an area declares the endpoints that confirm and cancel its provisional changes. */
export const confirmationBy =
  <Context>(endpoint: Declare<Context>) =>
  ({ lock, on }: ConfirmationDraft<Context>) => {
    const shared = {
      method: 'POST',
      effect: 'changes',
      category: local('the change waits on this host'),
      params: Type.Object({ id: Id }),
      reply: succeeded,
    } as const
    const confirmChange = endpoint({
      ...shared,
      path: '/changes/{id}/confirm',
      summary: 'Confirm a change, over a connection that was opened after it',
      description:
        'A connection over loopback or through a proxy proves nothing: 409 `connection_unproven`, unless `unproven=true` says that you can reach the host in another way, such as its console.',
      query: Type.Object({
        unproven: Type.Boolean({
          default: false,
          description: 'Confirm also over loopback or through a proxy',
        }),
      }),
      throws: { conflict: OldConnection, connection_unproven: ConnectionUnproven },
      run: async (request) => {
        const provisional = on(request)
        const { id, summary } = await provisional.load(request.params.id, lock)
        if (!request.isDirect() && !request.query.unproven) throw ConnectionUnproven()
        provisional.assertAwaits(id, request.connectedAt)
        return endOf(provisional, { id, by: 'confirmed' }, `Confirm: ${summary}`)
      },
    })
    const cancelChange = endpoint({
      ...shared,
      path: '/changes/{id}/cancel',
      summary: 'Undo a change that waits for its confirmation',
      run: async (request) => {
        const provisional = on(request)
        const { id, summary } = await provisional.load(request.params.id, lock)
        provisional.assertAwaits(id, Infinity)
        return endOf(provisional, { id, by: 'cancelled' }, `Undo: ${summary}`)
      },
    })
    return { confirmChange, cancelChange }
  }

const endOf = (
  { endStep }: Provisional,
  args: { readonly id: number; readonly by: 'confirmed' | 'cancelled' },
  summary: string,
) => change({ summary: summary.slice(0, 500), steps: [step(endStep, args)], reply: success })
