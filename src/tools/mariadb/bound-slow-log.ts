import { Unavailable } from '../../core/problem.ts'
import { sql, type SqlConnection } from '../../host/apply/steps.ts'
import type { Host } from '../../host/index.ts'

/** The size from which on a slow query log begins anew. */
const mostBytes = 64 * 1024 * 1024

/** Where the former part of a slow query log is: one, which the next one replaces. */
export const formerPart = (path: string): string => `${path}.1`

interface Bounding {
  readonly host: Pick<Host, 'run' | 'files' | 'accounts'>
  readonly connection: SqlConnection
}

/**
 * Has the slow query log begin anew if it is large, and returns whether it did. The server appends to it for ever, and no
 * logrotate of the distribution knows the directory of its data, where it is by default.
 */
export async function boundSlowLog(
  { host: { run, files, accounts }, connection }: Bounding,
  path: string,
  limitBytes = mostBytes,
): Promise<boolean> {
  const facts = await files.facts(path)
  const isMoved = facts === undefined && (await files.facts(formerPart(path))) !== undefined
  if (!isMoved && (facts?.kind !== 'file' || facts.sizeBytes <= limitBytes)) return false
  if (!isMoved) {
    const [from, to] = [files.real(path), files.real(formerPart(path))]
    const { code, stderr } = await run(['mv', '--force', '--no-target-directory', '--', from, to], {
      as: await serverAccount(accounts),
      timeoutMs: 10_000,
    })
    if (code !== 0) throw Unavailable(`the slow log cannot begin anew: ${stderr.trim().slice(0, 500)}`)
  }
  // until then the server writes to the file that was moved; replicas have logs of their own
  await connection.run(sql`flush no_write_to_binlog slow logs`)
  return !isMoved
}

/** Returns the account of the server, in whose directories its logs are: as root, a link there would lead anywhere. */
export async function serverAccount(accounts: Host['accounts']): Promise<{ uid: number; gid: number }> {
  const account = await accounts.find('mysql')
  if (account === undefined) throw Unavailable('the account mysql of the server does not exist')
  return { uid: account.uid, gid: account.gid }
}
