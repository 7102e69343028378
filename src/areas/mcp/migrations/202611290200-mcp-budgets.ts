import type { Migration } from '../../../core/area.ts'

export const createMcpBudgets: Migration = {
  name: '202611290200-mcp-budgets',
  statements: [
    'alter table mcp_keys add column approve integer not null default 0',
    'alter table mcp_keys add column max_calls integer',
    'alter table mcp_keys add column max_changes integer',
    'alter table mcp_keys add column max_bytes integer',
    `create table mcp_usage (
      key_id integer primary key references mcp_keys (id) on delete cascade, hour_began_at text not null,
      calls integer not null, changes integer not null, bytes integer not null
    )`,
    `create table mcp_approvals (
      id integer primary key, key_id integer not null references mcp_keys (id) on delete cascade, method text not null,
      path text not null, summary text not null, request text not null, plan text not null, sealed_call text not null,
      state text not null, created_at text not null, expires_at text not null, decided_at text, decided_by text,
      status integer, answer text
    )`,
    'create index mcp_approvals_by_key on mcp_approvals (key_id, state)',
    'create index mcp_approvals_by_time on mcp_approvals (created_at)',
  ],
}
