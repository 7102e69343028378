import type { Migration } from '../../../../core/area.ts'

export const createFileVersions: Migration = {
  name: '202611220815-file-versions',
  statements: [
    `create table file_versions (
      id integer primary key, owner_id integer not null references users (id) on delete cascade, path text not null, path_bytes text not null,
      sha256 text, size_bytes integer not null, stored_bytes integer not null, mode integer not null, not_kept text,
      written_at text not null, written_by integer, written_through text, replaced_at text not null, replaced_by integer,
      replaced_through text not null
    )`,
    'create index file_versions_by_path on file_versions (owner_id, path_bytes)',
    'create index file_versions_by_age on file_versions (owner_id, replaced_at)',
    'create index file_versions_by_content on file_versions (owner_id, sha256, stored_bytes)',
    `create table file_heads (
      owner_id integer not null references users (id) on delete cascade, path_bytes text not null, etag text not null,
      written_at text not null, written_by integer, written_through text not null, primary key (owner_id, path_bytes)
    )`,
  ],
}
