import type { SqlConnection } from '../apply/steps.ts'
import { connectHttp, type HttpConnection, type HttpTarget } from './http.ts'
import { connectSql, sessionAt, type SqlSession, type SqlTarget } from './sql.ts'

export type { HttpConnection, HttpTarget, SqlSession, SqlTarget }
export * as connectProblems from './problems.ts'

/** Connections to programs of this host, with limits of time and size; opened only when a request is sent. */
export interface Connect {
  http(target: HttpTarget): HttpConnection
  sql(target: SqlTarget): SqlConnection
  /** Sessions of several statements, of which the earlier ones set how the later ones are read. */
  session(target: SqlTarget): SqlSession
}

export const connect: Connect = { http: connectHttp, sql: connectSql, session: sessionAt }
