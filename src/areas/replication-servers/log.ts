import { randomUUID } from 'node:crypto'
import { change, step } from '../../core/change.ts'
import type { Replication } from './context.ts'
import type { Action } from './model.ts'
import { ActionNotFound } from './problems.ts'
import { lossOf, serverLock } from './servers.ts'
import { actions, type ActionRow, type LogQuery } from './store.ts'

const usualLimit = 50
const highestLimit = 500

/** Lists the requests for a server, the newest first; those for an unknown one are none. */
export async function listActions({ queries }: Replication, id: number, query: LogQuery): Promise<Action[]> {
  const { limit, category = '', status = '' } = query
  const rows = await queries.log(id, {
    limit: limit >= 1 && limit <= highestLimit ? limit : usualLimit,
    ...(category !== '' && { category }),
    ...(status !== '' && { status }),
  })
  return rows.map(showAction)
}

/** Removes the requests that are over, or all of them; those for an unknown server are none. */
export async function clearActions({ queries }: Replication, id: number, isAll: boolean) {
  const name = (await queries.find(id))?.name ?? String(id)
  const deleted = await queries.count(id, isAll ? {} : { is_over: 1 })
  const waiting = isAll ? await queries.count(id, { status: 'pending' }) : 0
  return change({
    summary: `Clear the log of the replication server ${name}`,
    locks: [serverLock(name)],
    details: lossOf(waiting),
    rows: [actions.delete({ server_id: id, ...(!isAll && { is_over: 1 }) })],
    reply: { success: true as const, deleted },
  })
}

/** Sends a request again, whatever became of it. */
export async function retryAction(on: Replication, id: number, actionId: string) {
  const action = await on.queries.action(Number(actionId))
  const server = action?.server_id === id ? await on.queries.find(id) : undefined
  if (action === undefined || server === undefined) throw ActionNotFound()
  const title = `Send ${action.method} ${action.endpoint} to ${server.name} again`
  return change({
    summary: title,
    locks: [serverLock(server.name)],
    steps: [step(on.retryStep, { actionId: action.id, token: randomUUID(), title })],
    reply: ({ results: [result] }) => result,
  })
}

function showAction(row: ActionRow): Action {
  const {
    is_over: _over,
    idempotency_key: _key,
    retry_token: _token,
    tries: _tries,
    next_try: _next,
    ...shown
  } = actions.show(row)
  return shown
}
