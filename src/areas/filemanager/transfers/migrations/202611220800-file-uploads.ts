import type { Migration } from '../../../../core/area.ts'

export const createFileUploads: Migration = {
  name: '202611220800-file-uploads',
  statements: [
    `create table file_uploads (
      id integer primary key, user_id integer not null references users (id) on delete cascade, username text not null, name text not null,
      path text not null, size_bytes integer not null, sha256 text, if_match text, overwrite integer not null, state text not null,
      firm_bytes integer not null, sealed_etag text, file text, created_at text not null, expires_at text not null
    )`,
    'create index file_uploads_by_owner on file_uploads (username, state)',
    'create index file_uploads_by_user on file_uploads (user_id, id)',
    'create index file_uploads_by_expiry on file_uploads (expires_at)',
    'create table file_downloads (job_id integer primary key references jobs (id) on delete cascade, validator text not null)',
  ],
}
