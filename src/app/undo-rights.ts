import type { AssertMayUndo } from '../changes/undo-by-id/index.ts'
import type { ActivityRow } from '../changes/tables.ts'
import { admits } from '../core/guard.ts'
import { Forbidden, NotFound } from '../core/problem.ts'
import type { Store } from '../store/store.ts'
import { actionOf, type Route } from '../surfaces/routes.ts'

interface Rights {
  readonly store: Store
  readonly routes: () => readonly Route[]
}

/**
 * Callers undo their own changes while they pass the guard and the target of the original endpoint;
 * superusers undo all. For the undo of an undo, the entry that was undone first counts.
 */
export function undoRights({ store, routes }: Rights): AssertMayUndo {
  const assertMayUndo: AssertMayUndo = async (entry, caller) => {
    if (caller.user.isAdmin) return
    if (entry.user_id !== caller.user.id) throw NotFound(`id: there is no entry ${entry.id}`)
    const route = routes().find((each) => actionOf(each) === entry.action)
    if (route === undefined || !admits(route.guard, caller)) throw NoLonger()
    const { params, query, body, cut }: Asked = JSON.parse(entry.request)
    if (entry.action === 'activity_undo_change') {
      const first = await entryOf(store, Number(params?.['id']))
      if (first === undefined) throw NoLonger()
      return assertMayUndo(first, caller)
    }
    if (route.endpoint.target === undefined) return
    if (cut) throw NoLonger()
    const request = { params, query, body, caller, callerIfAny: caller, now: new Date() }
    await route.endpoint.target({ ...request, ...route.context, signal: AbortSignal.timeout(10_000) })
  }
  return assertMayUndo
}

/** The input as the activity log keeps it: without secrets, and cut off if it was large. */
interface Asked {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: unknown
  readonly body?: unknown
  readonly cut?: true
}

const NoLonger = () => Forbidden('You may no longer do what this entry did: ask a superuser to undo it')

const entryOf = ({ db }: Store, id: number): Promise<ActivityRow | undefined> =>
  db.selectFrom('activity').selectAll().where('id', '=', id).executeTakeFirst()
