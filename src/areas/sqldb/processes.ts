import { type Change, change, step } from '../../core/change.ts'
import { lock } from '../../core/lock.ts'
import { from } from '../../core/returned.ts'
import { KillFailed } from '../../tools/mariadb/index.ts'
import type { Sqldb } from './context.ts'
import type { SqlProcesses } from './model.ts'

const connectionsLock = lock('sql connections')

/** Lists the connections to the server, the longest in their state first. */
export async function listProcesses({ tool }: Sqldb): Promise<SqlProcesses> {
  const processes = await tool.listProcesses()
  return { processes: processes.map(({ blockedBy, ...each }) => ({ ...each, blocked_by: [...blockedBy] })) }
}

/** Ends the connection of a client. An id that is no number never reaches the server (decision 3.8). */
export function killProcess({ tool }: Sqldb, id: string): Change<{ killed: true }> {
  if (!/^\d{1,20}$/.test(id) || !Number.isSafeInteger(Number(id)))
    throw KillFailed(`id: must be the number of a connection, such as 42`)
  return change({
    summary: `End connection ${Number(id)} of the SQL server`,
    locks: [connectionsLock(id)],
    steps: [step(tool.steps.killProcess, { id: Number(id) })],
    reply: { killed: true },
  })
}

/** Ends every connection that runs a statement, except the panel's own. */
export function killAll({ tool }: Sqldb): Change<{ killed: number }> {
  const ending = step(tool.steps.killBusy, null)
  return change({
    summary: 'End the connections that run a statement on the SQL server',
    locks: [connectionsLock('all')],
    steps: [ending],
    reply: { killed: from(ending, 'killed') },
  })
}
