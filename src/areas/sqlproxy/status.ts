import type { Sqlproxy } from './context.ts'
import type { SqlproxyStatus } from './model.ts'
import { isSplit } from './rules.ts'

/** Reads whether ProxySQL is set up, runs and answers, and the accounts that connect through it. */
export async function readStatus({ tool }: Sqlproxy): Promise<SqlproxyStatus> {
  const { present, version, reason } = await tool.detect()
  const unknown = { monitor_user: null, is_split: false, users: [] }
  if (!present || (await tool.readPassword()) === undefined) {
    const missing = present ? 'ProxySQL is installed, and not set up by the panel' : reason
    return { installed: false, running: false, answering: false, version, reason: missing, ...unknown }
  }
  const running = await tool.isRunning()
  const state = { installed: true, running, version }
  if (!running) return { ...state, answering: false, reason: 'ProxySQL does not run', ...unknown }
  if (!(await tool.answers()))
    return {
      ...state,
      answering: false,
      reason: 'The admin interface of ProxySQL does not answer',
      ...unknown,
    }
  const { 'mysql-monitor_username': monitor } = await tool.readRunning('mysqlVariables')
  return {
    ...state,
    answering: true,
    reason: null,
    monitor_user: monitor?.['variable_value'] ?? null,
    is_split: isSplit(await tool.readRunning('rules')),
    users: await listUsers(tool),
  }
}

async function listUsers(tool: Sqlproxy['tool']): Promise<SqlproxyStatus['users']> {
  return Object.values(await tool.readMemory('users'))
    .filter((row) => row['frontend'] !== '0')
    .map((row) => ({
      username: (row['username'] ?? '').slice(0, 80),
      default_hostgroup: Number(row['default_hostgroup'] ?? 0),
      active: row['active'] !== '0',
      max_connections: Number(row['max_connections'] ?? 10_000),
    }))
    .toSorted((one, other) => (one.username < other.username ? -1 : 1))
}
