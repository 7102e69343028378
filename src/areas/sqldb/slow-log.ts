import { type Change } from '../../core/change.ts'
import { isSameValue } from '../../tools/mariadb/index.ts'
import type { Sqldb } from './context.ts'
import type { SlowLog, SlowLogDraft } from './model.ts'
import { changeOptions, readOptions } from './settings.ts'

const names = ['slow_query_log', 'slow_query_log_file', 'long_query_time'] as const

/** Reads the statements that took long, grouped by their shape, from the file to which the server writes them. */
export async function readSlowLog({ tool }: Sqldb, limit: number): Promise<SlowLog> {
  const options = await readOptions({ tool })
  const values = (await tool.isRunning()) ? await tool.readRunning(names) : options
  const path = absolute(values.get('slow_query_log_file') ?? '', options.get('datadir') ?? '')
  const { queries, isCut } = await tool.readSlowLog(path)
  return {
    enabled: isSameValue(values.get('slow_query_log') ?? '', 'ON'),
    path,
    long_query_time: Number(values.get('long_query_time') ?? 0),
    is_cut: isCut,
    total: queries.length,
    queries: queries.slice(0, limit).map((query) => ({
      fingerprint: query.fingerprint,
      count: query.count,
      total_seconds: rounded(query.totalSeconds),
      mean_seconds: rounded(query.totalSeconds / query.count),
      max_seconds: rounded(query.maxSeconds),
      lock_seconds: rounded(query.lockSeconds),
      rows_sent: query.rowsSent,
      rows_examined: query.rowsExamined,
      databases: [...query.databases],
      users: [...query.users],
    })),
  }
}

const absolute = (path: string, directory: string): string =>
  path.startsWith('/') ? path : `${directory.replace(/\/$/, '')}/${path}`

const rounded = (seconds: number): number => Math.round(seconds * 1_000_000) / 1_000_000

/** Has the slow log of a server that runs begin anew if it is large; returns whether it did. */
export async function boundSlowLog({ tool }: Sqldb): Promise<boolean> {
  if (!(await tool.detect()).present || !(await tool.isRunning())) return false
  const values = await tool.readRunning(['slow_query_log_file', 'datadir'])
  return tool.boundSlowLog(absolute(values.get('slow_query_log_file') ?? '', values.get('datadir') ?? ''))
}

/** Switches the slow log, and sets from how many seconds on a statement is written to it. */
export const changeSlowLog = (
  on: Sqldb,
  { enabled, long_query_time: seconds }: SlowLogDraft,
): Promise<Change<{ success: true }>> =>
  changeOptions(on, enabled ? 'Log slow statements' : 'Log slow statements no longer', (values) => ({
    slow_query_log: enabled ? 'ON' : 'OFF',
    ...(enabled && !/\bFILE\b/.test(values.get('log_output') ?? 'FILE') && { log_output: 'FILE' }),
    ...(seconds !== undefined && { long_query_time: String(seconds) }),
  }))
