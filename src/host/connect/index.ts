import type { ApiConnection, SqlConnection } from '../apply/steps.ts'
import { connectHttp, type HttpTarget } from './http.ts'
import { connectSql, type SqlTarget } from './sql.ts'

export type { HttpTarget, SqlTarget }
export * as connectProblems from './problems.ts'

/** Connections to programs of this host, with limits of time and size; opened only when a request is sent. */
export interface Connect {
  http(target: HttpTarget): ApiConnection
  sql(target: SqlTarget): SqlConnection
}

export const connect: Connect = { http: connectHttp, sql: connectSql }
