import type { Migration } from '../../../core/area.ts'

export const createAssistant: Migration = {
  name: '202611281740-assistant',
  statements: [
    `create table ai_assistant (
      id integer primary key, mcp_key_id integer, lan_port integer, revision integer not null
    )`,
    `create table ai_config_versions (
      id integer primary key, content text not null, size_bytes integer not null, created_at text not null
    )`,
  ],
}
