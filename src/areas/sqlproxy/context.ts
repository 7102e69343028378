import { area } from '../../core/area.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'

/** The SQL proxy of this host and its virtual address, as the verbs of the area reach them. */
export interface Sqlproxy {
  readonly tool: Tools['proxysql']
  readonly keepalived: Tools['keepalived']
  /** The SQL server of this host, which may be one of the servers of the proxy. */
  readonly mariadb: Tools['mariadb']
  readonly programSteps: Tools['programSteps']
}

/** Binds the area to its tools. */
export function openSqlproxy({ tools }: Deps): Sqlproxy {
  const { proxysql, keepalived, mariadb, programSteps } = tools
  return { tool: proxysql, keepalived, mariadb, programSteps }
}

export interface Context {
  readonly sqlproxy: Sqlproxy
}

export const { endpoint, work } = area.of<Context>()
