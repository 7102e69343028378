import { area } from '../../core/area.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'

/** The SQL server of this host, as the verbs of the area reach it. */
export interface Sqldb {
  readonly tool: Tools['mariadb']
  readonly mysqltuner: Tools['mysqltuner']
  readonly programSteps: Tools['programSteps']
  /** Returns the memory of the host, in bytes. */
  readonly readMemoryBytes: () => Promise<number>
}

/** Binds the area to the SQL server of this host. */
export function openSqldb({ host, tools: { mariadb, mysqltuner, programSteps } }: Deps): Sqldb {
  const readMemoryBytes = async () => {
    const text = await host.machine.text('/proc/meminfo')
    return Number(/^MemTotal: +(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024
  }
  return { tool: mariadb, mysqltuner, programSteps, readMemoryBytes }
}

export interface Context {
  readonly sqldb: Sqldb
}

export const { endpoint, job, work } = area.of<Context>()
