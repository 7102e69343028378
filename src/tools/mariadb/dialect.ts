import { Problem } from '../../core/problem.ts'
import { sql, type SqlConnection } from '../../host/apply/steps.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { mysqlHashOf } from './mysql-password-hash.ts'
import { hashOf } from './password-hash.ts'

/** True if the server refused to read mysql.global_priv because it is MySQL, which has no such table. */
export const isWithoutGlobalPriv = (error: unknown): boolean =>
  error instanceof Problem && error.kind === connectProblems.SqlRefused && /global_priv'/.test(error.message)

/** Opens the hashing of passwords as the server keeps them. Of one that does not answer, those of MariaDB are made. */
export const openPasswordHashing =
  (connection: SqlConnection) =>
  async (password: string): Promise<string> =>
    (await isMysql(connection)) ? mysqlHashOf(password) : hashOf(password)

async function isMysql(connection: SqlConnection): Promise<boolean> {
  try {
    const [row] = await connection.run(sql`select version() as version`)
    return row !== undefined && !/MariaDB/i.test(String(row['version']))
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}
