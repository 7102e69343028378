import { area } from '../../core/area.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'

/** The SQL server of this host, as the verbs of the area reach it. */
export interface Sqldb {
  readonly tool: Tools['mariadb']
  readonly programSteps: Tools['programSteps']
}

/** Binds the area to the SQL server of this host. */
export function openSqldb({ tools: { mariadb, programSteps } }: Deps): Sqldb {
  return { tool: mariadb, programSteps }
}

export interface Context {
  readonly sqldb: Sqldb
}

export const { endpoint, work } = area.of<Context>()
