const unspaced = (statement: string): string => statement.replaceAll(/\s+/g, ' ').trim()

/** Statements of released migrations that PostgreSQL refuses, and their counterparts. */
const counterparts: ReadonlyMap<string, string> = new Map([
  [
    // columns beside an aggregate have no group there
    'insert into sign_in_addresses select user_id, ip, min(created_at), user_agent, 1 from sessions group by user_id, ip',
    `insert into sign_in_addresses select distinct on (user_id, ip) user_id, ip, created_at, user_agent, 1
      from sessions order by user_id, ip, created_at`,
  ],
  // a path may be longer than what an index contains there, unless it contains hashes
  [
    'create index file_versions_by_path on file_versions (owner_id, path_bytes)',
    'create index file_versions_by_path on file_versions using hash (path_bytes)',
  ],
  [
    `create table file_heads ( owner_id integer not null references users (id) on delete cascade, path_bytes text not null, etag text not null, written_at text not null, written_by integer, written_through text not null, primary key (owner_id, path_bytes) )`,
    `create table file_heads (
      owner_id bigint not null references users (id) on delete cascade, path_bytes text collate "C" not null, etag text collate "C" not null,
      written_at text collate "C" not null, written_by bigint, written_through text collate "C" not null
    );
    create index file_heads_by_owner on file_heads (owner_id);
    create index file_heads_by_path on file_heads using hash (path_bytes)`,
  ],
])

/**
 * A statement of a migration for PostgreSQL: whole numbers have 64 bits, and texts are compared by their bytes, both as in
 * SQLite. Other statements are the same on both.
 */
export function forPostgres(statement: string): string {
  const known = counterparts.get(unspaced(statement))
  if (known !== undefined) return known
  if (!/^\s*(?:create|alter)\s+table\b/i.test(statement)) return statement
  return statement
    .replaceAll(/\b(?!column\b)(\w+)\s+integer\b/gi, '$1 bigint')
    .replaceAll(/\b(?!column\b)(\w+)\s+text\b/gi, '$1 text collate "C"')
}
