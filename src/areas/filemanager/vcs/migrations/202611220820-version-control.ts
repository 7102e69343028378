import type { Migration } from '../../../../core/area.ts'

export const createVersionControl: Migration = {
  name: '202611220820-version-control',
  statements: [
    `create table vcs_credentials (
       username text not null, repository text not null, remote text not null,
       address text not null, login text not null, secrets text not null, updated_at text not null,
       primary key (username, repository, remote))`,
    `create table vcs_host_keys (
       username text not null, host text not null, port integer not null,
       public_keys text not null, pinned_at text not null,
       primary key (username, host, port))`,
  ],
}
