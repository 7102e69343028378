import type { Migration } from '../../../core/area.ts'

/** The wanted states of files, services and accounts, what the last check found, and when it was. */
export const createDrift: Migration = {
  name: '202611290200-drift',
  statements: [
    `create table drift_states (
      kind text not null, name text not null, program text not null, state text, expected text, former text,
      recorded_at text not null, primary key (kind, name)
    )`,
    `create table drift_found (
      item text primary key, kind text not null, name text not null, state text not null, found_at text not null
    )`,
    'create table drift_checks (slot integer primary key check (slot = 1), checked_at text not null)',
  ],
}
