/** Statements of released migrations that PostgreSQL refuses, and their counterparts. */
const counterparts: ReadonlyMap<string, string> = new Map([
  [
    // columns beside an aggregate have no group there
    'insert into sign_in_addresses select user_id, ip, min(created_at), user_agent, 1 from sessions group by user_id, ip',
    `insert into sign_in_addresses select distinct on (user_id, ip) user_id, ip, created_at, user_agent, 1
      from sessions order by user_id, ip, created_at`,
  ],
])

/**
 * A statement of a migration for PostgreSQL: whole numbers have 64 bits, and texts are compared by their bytes, both as in
 * SQLite. Other statements are the same on both.
 */
export function forPostgres(statement: string): string {
  const known = counterparts.get(statement.trim())
  if (known !== undefined) return known
  if (!/^\s*(?:create|alter)\s+table\b/i.test(statement)) return statement
  return statement
    .replaceAll(/\b(?!column\b)(\w+)\s+integer\b/gi, '$1 bigint')
    .replaceAll(/\b(?!column\b)(\w+)\s+text\b/gi, '$1 text collate "C"')
}
