import type { StepKind } from '../../core/change.ts'
import { Problem } from '../../core/problem.ts'
import { finalStep } from '../../core/steps.ts'
import { sql, type SqlConnection } from '../../host/apply/steps.ts'
import { isBusy, isClient, listProcesses, type SqlProcess } from './processes.ts'
import { KillFailed } from './problems.ts'

interface KillArgs {
  readonly id: number
}

const why = 'the client loses its connection and what it has not committed'

/** The step that ends the connection of one client. */
export function killProcess(connection: SqlConnection): StepKind<KillArgs, null, null> {
  const find = async (id: number) => (await listProcesses(connection)).find((each) => each.id === id)
  return finalStep<KillArgs>({
    name: 'mariadb.kill-process',
    plan: ({ id }) => ({ title: `End connection ${id} of the SQL server` }),
    why,
    observe: async ({ id }) => {
      assertKillable(connection, id, await find(id))
      return null
    },
    act: async ({ id }) => {
      if (!(await kill(connection, id))) throw KillFailed(`id: connection ${id} has ended by itself`)
      return null
    },
    isDone: async ({ id }) => isGone(await find(id)),
  })
}

/** Refuses what is no client's connection. */
function assertKillable(connection: SqlConnection, id: number, process: SqlProcess | undefined): void {
  if (process === undefined) throw KillFailed(`id: no connection has the id ${id}`)
  if (!isClient(process))
    throw KillFailed(`id: ${id} is a thread of the server or of replication (${process.command})`)
  if (isOwn(connection, process)) throw KillFailed(`id: ${id} is a connection of the panel`)
}

/** The step that ends every connection that runs a statement, except the panel's own, and returns how many it ended. */
export function killBusy(connection: SqlConnection): StepKind<null, null, { readonly killed: number }> {
  const find = async () =>
    (await listProcesses(connection)).filter((each) => isBusy(each) && !isOwn(connection, each))
  return finalStep<null, null, { readonly killed: number }>({
    name: 'mariadb.kill-busy',
    plan: () => ({ title: 'End the connections that run a statement' }),
    preview: async () => ({
      objects: (await find()).map(({ id, user, command }) => ({
        name: `${id}`,
        before: `${user}: ${command}`,
        after: null,
      })),
    }),
    why,
    act: async () => {
      let killed = 0
      for (const { id } of await find()) if (await kill(connection, id)) killed++
      return { killed }
    },
    isDone: async () => undefined,
  })
}

const isOwn = ({ openIds }: SqlConnection, { id }: Pick<SqlProcess, 'id'>): boolean =>
  openIds?.().has(id) ?? false

const isGone = (process: SqlProcess | undefined): boolean =>
  process === undefined || process.command === 'Killed'

/** Returns false if the connection has ended meanwhile. */
async function kill(connection: SqlConnection, id: number): Promise<boolean> {
  try {
    await connection.run(sql`kill connection ${id}`)
    return true
  } catch (error) {
    if (error instanceof Problem && /Unknown thread id/.test(error.message)) return false
    throw error
  }
}
