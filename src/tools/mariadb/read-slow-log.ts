import { Unavailable } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'
import { aggregateSlowLog, type SlowQuery } from './slow-log.ts'

const tailBytes = 8 * 1024 * 1024
const account = 'mysql'

/** The end of a slow query log. */
export interface SlowLogReading {
  readonly queries: readonly SlowQuery[]
  /** True if the log is longer than what was read. */
  readonly isCut: boolean
}

/** Reads the last 8 MiB of a slow query log as the account of the server, in whose directories it is; empty if there is none. */
export async function readSlowLog(
  { run, files, accounts }: Pick<Host, 'run' | 'files' | 'accounts'>,
  path: string,
): Promise<SlowLogReading> {
  const facts = await files.facts(path)
  if (facts === undefined) return { queries: [], isCut: false }
  const owner = await accounts.find(account)
  if (owner === undefined) throw Unavailable(`the account ${account} of the server does not exist`)
  const { code, stdout, stderr } = await run(['tail', `--bytes=${tailBytes}`, '--', files.real(path)], {
    as: { uid: owner.uid, gid: owner.gid },
    timeoutMs: 10_000,
    maxBytes: tailBytes,
  })
  if (code !== 0) throw Unavailable(`the slow log cannot be read: ${stderr.trim().slice(0, 500)}`)
  return { queries: aggregateSlowLog(stdout), isCut: facts.sizeBytes > tailBytes }
}
