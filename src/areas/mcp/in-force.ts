import { findUser, type Users } from '../users/index.ts'
import type { McpKeyQueries, McpKeyRow } from './store.ts'

interface Checked {
  readonly queries: McpKeyQueries
  readonly users: Users
}

/** True if a key still admits its holder. */
export async function isValid({ queries, users }: Checked, keyId: number): Promise<boolean> {
  const row = await queries.byId(keyId)
  if (row === undefined || !isInForce(row)) return false
  return (await findUser(users, row.user_id))?.is_suspended === 0
}

/** True if a key is enabled and has not expired. */
export const isInForce = ({ enabled, expires_at: end }: McpKeyRow): boolean =>
  enabled === 1 && (end === null || Date.parse(end) > Date.now())

/** Tells other areas whether a key that they hold admits them still. */
export const keyChecks = (on: Checked) => ({
  isValid: async (keyId: number | null): Promise<boolean> => keyId !== null && isValid(on, keyId),
})
