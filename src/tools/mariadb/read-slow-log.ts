import { Unavailable } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'
import { formerPart, serverAccount } from './bound-slow-log.ts'
import { aggregateSlowLog, type SlowQuery } from './slow-log.ts'

const tailBytes = 8 * 1024 * 1024

/** The end of a slow query log. */
export interface SlowLogReading {
  readonly queries: readonly SlowQuery[]
  /** True if the log is longer than what was read. */
  readonly isCut: boolean
}

/**
 * Reads the last 8 MiB of a slow query log as the account of the server, in whose directories it is; empty if there is none. Of
 * one that has begun anew, the end of the former part is read too.
 */
export async function readSlowLog(
  { run, files, accounts }: Pick<Host, 'run' | 'files' | 'accounts'>,
  path: string,
): Promise<SlowLogReading> {
  const facts = await files.facts(path)
  if (facts === undefined) return { queries: [], isCut: false }
  const former = facts.sizeBytes < tailBytes ? await files.facts(formerPart(path)) : undefined
  const parts = former?.kind === 'file' ? [formerPart(path), path] : [path]
  const { code, stdout, stderr } = await run(
    ['tail', '--quiet', `--bytes=${tailBytes}`, '--', ...parts.map((part) => files.real(part))],
    { as: await serverAccount(accounts), timeoutMs: 10_000, maxBytes: parts.length * tailBytes },
  )
  if (code !== 0) throw Unavailable(`the slow log cannot be read: ${stderr.trim().slice(0, 500)}`)
  const isCut = [facts, former].some((part) => (part?.sizeBytes ?? 0) > tailBytes)
  return { queries: aggregateSlowLog(stdout), isCut }
}
