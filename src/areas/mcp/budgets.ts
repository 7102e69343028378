import type { AgentBudget } from '../../core/agent.ts'
import { KeyedMutex } from '../../core/keyed-mutex.ts'
import { Forbidden } from '../../core/problem.ts'
import { type McpKeyQueries, type McpKeyRow, mcpUsage, type McpUsageRow } from './store.ts'

const hourMs = 3_600_000

/** The budgets of keys; what is used is stored, so that a restart renews nothing. */
export interface Budgets {
  /** Returns the budget of a key; undefined if it has none. */
  of(row: McpKeyRow): AgentBudget | undefined
}

/** True if a key may be used only so much. */
export const hasBudget = ({ max_calls, max_changes, max_bytes }: McpKeyRow): boolean =>
  max_calls !== null || max_changes !== null || max_bytes !== null

/** Opens the budgets. Calls of one key are counted one at a time. */
export function openBudgets(
  queries: Pick<McpKeyQueries, 'usage' | 'keepUsage'>,
  clock: () => Date = () => new Date(),
): Budgets {
  const mutex = new KeyedMutex<number>()
  const change = <Value>(row: McpKeyRow, count: (used: McpUsageRow) => Counted<Value>): Promise<Value> =>
    mutex.run(row.id, async () => {
      const { used, value } = count(inPresentHour(await queries.usage(row.id), row.id, clock()))
      await queries.keepUsage(used)
      return value
    })
  return {
    of: (row) => {
      if (!hasBudget(row)) return undefined
      return {
        countCall: () => change(row, (used) => countedCall(row, used)),
        countChange: () => change(row, (used) => countedChange(row, used)),
        countBytes: (bytes) => change(row, (used) => countedBytes(row, used, bytes)),
      }
    },
  }
}

/** What a key with a budget used in its present hour. */
export function usedOf(
  row: McpKeyRow,
  stored: McpUsageRow | undefined,
  now: Date,
): Pick<McpUsageRow, 'calls' | 'changes' | 'bytes'> | undefined {
  if (!hasBudget(row)) return undefined
  const { calls, changes, bytes } = inPresentHour(stored, row.id, now)
  return { calls, changes, bytes }
}

interface Counted<Value> {
  readonly used: McpUsageRow
  readonly value: Value
}

/** What a key used in its hour: nothing at the first call after the last hour has ended. A clock set back begins a new one. */
function inPresentHour(stored: McpUsageRow | undefined, keyId: number, now: Date): McpUsageRow {
  const ageMs = stored === undefined ? hourMs : now.getTime() - Date.parse(stored.hour_began_at)
  if (stored !== undefined && ageMs >= 0 && ageMs < hourMs) return stored
  return mcpUsage.row({ key_id: keyId, hour_began_at: now.toISOString(), calls: 0, changes: 0, bytes: 0 })
}

function countedCall({ max_calls: calls, max_bytes: bytes }: McpKeyRow, used: McpUsageRow): Counted<void> {
  if (calls !== null && used.calls >= calls) throw usedUp(`${calls} calls`, used)
  if (bytes !== null && used.bytes >= bytes) throw usedUp(`${bytes} bytes of answers`, used)
  return { used: { ...used, calls: used.calls + 1 }, value: undefined }
}

function countedChange({ max_changes: changes }: McpKeyRow, used: McpUsageRow): Counted<void> {
  if (changes !== null && used.changes >= changes) throw usedUp(`${changes} changes`, used)
  return { used: { ...used, changes: used.changes + 1 }, value: undefined }
}

function countedBytes({ max_bytes: most }: McpKeyRow, used: McpUsageRow, bytes: number): Counted<number> {
  const allowed = most === null ? bytes : Math.min(bytes, Math.max(0, most - used.bytes))
  return { used: { ...used, bytes: used.bytes + allowed }, value: allowed }
}

function usedUp(what: string, { hour_began_at: began }: McpUsageRow): Error {
  const endsAt = new Date(Date.parse(began) + hourMs)
  return Forbidden(`The budget of this key is ${what} an hour: try again at ${endsAt.toISOString()}`)
}
