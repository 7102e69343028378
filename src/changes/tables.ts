import type { Migration } from '../core/area.ts'

export type ChangeState = 'queued' | 'intended' | 'provisional' | 'settled'
export type ChangeOutcome = 'ok' | 'failed' | 'restored' | 'cancelled'

export interface ChangeRow {
  readonly id: number
  readonly summary: string
  readonly action: string
  readonly method: string
  readonly path: string
  readonly user_id: number | null
  readonly key_id: number | null
  /** The key of the agent that asked for it. */
  readonly mcp_key_id: number | null
  readonly ip: string
  readonly request_id: string
  /** Redacted JSON. */
  readonly request: string
  readonly state: ChangeState
  readonly outcome: ChangeOutcome | null
  /**
   * Sealed JSON of the steps with their former states, the rows and the jobs; dropped when it is too old to
   * undo.
   */
  readonly work: string | null
  /** JSON of the locks that it held; null if an older panel wrote the row. */
  readonly locks: string | null
  /** The job that carries it out; null for the change of a request. */
  readonly job_id: number | null
  /** The deadline of a provisional change; null for any other. */
  readonly confirm_until: string | null
  readonly idempotency_key: string | null
  /** Once the change is settled, a blank and the digest of the uploaded file follow. */
  readonly request_digest: string | null
  /** JSON of the reply for a repeat with the same key; null if it contains a secret. */
  readonly reply: string | null
  readonly error: string | null
  readonly created_at: string
  readonly settled_at: string | null
  /** The reason why it is not undone by id, as the end of a sentence; null if it can be. */
  readonly not_undone: string | null
  /** When it was undone by id. */
  readonly undone_at: string | null
  /** JSON of the inserts for other panels that settle with it; null once it is settled, and where there are none. */
  readonly outbox: string | null
}

export interface ActivityRow {
  readonly id: number
  readonly action: string
  readonly user_id: number | null
  readonly key_id: number | null
  /** The key of the agent that asked for it. */
  readonly mcp_key_id: number | null
  readonly ip: string
  readonly method: string
  readonly path: string
  /** Redacted JSON. */
  readonly request: string
  readonly status: ChangeOutcome
  readonly duration_ms: number
  readonly request_id: string
  readonly change_id: number | null
  readonly message: string
  readonly created_at: string
  /** SHA-256 over the hash of the previous row and this row. */
  readonly hash: string
}

/** The last entry that was pruned, signed with the panel's key: the chain begins after it. One row. */
export interface PrunedRow {
  readonly activity_id: number
  readonly hash: string
  readonly signature: string
  readonly created_at: string
}

/** An entry whose hash is signed with Ed25519, so that others can check it. */
export interface CheckpointRow {
  readonly activity_id: number
  readonly hash: string
  /** The first entry at which a break had been noticed; part of what is signed. */
  readonly broken_at: number | null
  readonly created_at: string
  readonly signature: string
}

/** The newest entry of the chain, signed. One row. */
export interface HeadRow {
  readonly slot: 1
  readonly activity_id: number
  readonly hash: string
  readonly signature: string
}

/** A recorded break of the chain; kept permanently. */
export interface BreakRow {
  readonly id: number
  /** The first affected row. */
  readonly broken_at: number
  readonly reason: string
  readonly created_at: string
  readonly signature: string
}

declare module '../store/tables.ts' {
  interface Tables {
    readonly changes: ChangeRow
    readonly activity: ActivityRow
    readonly activity_checkpoints: PrunedRow
    readonly activity_signed_checkpoints: CheckpointRow
    readonly activity_head: HeadRow
    readonly activity_breaks: BreakRow
  }
}

const createChanges: Migration = {
  name: '202611210020-changes',
  statements: [
    `create table changes (
      id integer primary key, summary text not null, action text not null, method text not null, path text not null,
      user_id integer, key_id integer, ip text not null, request_id text not null, request text not null,
      state text not null, outcome text, work text, idempotency_key text, request_digest text, reply text, error text,
      created_at text not null, settled_at text
    )`,
    'create index changes_by_state on changes (state)',
    'create unique index changes_by_key on changes (user_id, idempotency_key)',
    `create table activity (
      id integer primary key, action text not null, user_id integer, key_id integer, ip text not null, method text not null,
      path text not null, request text not null, status text not null, duration_ms integer not null, request_id text not null,
      change_id integer, message text not null, created_at text not null, hash text not null
    )`,
    'create index activity_by_user on activity (user_id, id)',
    'create index activity_by_action on activity (action, id)',
    'create index activity_by_time on activity (created_at)',
    'create table activity_checkpoints (activity_id integer primary key, hash text not null, signature text not null, created_at text not null)',
    'create table activity_head (slot integer primary key check (slot = 1), activity_id integer not null, hash text not null, signature text not null)',
  ],
}

const addBreaks: Migration = {
  name: '202611221110-activity-breaks',
  statements: [
    'create table activity_breaks (id integer primary key, broken_at integer not null, reason text not null, created_at text not null, signature text not null)',
  ],
}

const addLocks: Migration = {
  name: '202611221100-locks-of-changes',
  statements: ['alter table changes add column locks text'],
}

const addJobs: Migration = {
  name: '202611221301-jobs-of-changes',
  statements: ['alter table changes add column job_id integer'],
}

const addDeadlines: Migration = {
  name: '202611221700-provisional',
  statements: ['alter table changes add column confirm_until text'],
}

const addUndo: Migration = {
  name: '202611221800-undo-of-changes',
  statements: [
    'alter table changes add column not_undone text',
    'alter table changes add column undone_at text',
    "update changes set not_undone = 'an earlier version of the panel, which kept no former rows, carried it out'",
  ],
}

const addMcpKeys: Migration = {
  name: '202611280011-mcp-keys-of-entries',
  statements: [
    'alter table changes add column mcp_key_id integer',
    'alter table activity add column mcp_key_id integer',
  ],
}

const addOutbox: Migration = {
  name: '202611281600-outbox-of-changes',
  statements: ['alter table changes add column outbox text'],
}

/** Leaves in activity_checkpoints the mark of pruning alone: every other could be given out as the beginning of the chain. */
const addSignatures: Migration = {
  name: '202611292240-signed-checkpoints',
  statements: [
    `create table activity_signed_checkpoints (
      activity_id integer primary key, hash text not null, broken_at integer, created_at text not null, signature text not null
    )`,
    `delete from activity_checkpoints where activity_id <>
      coalesce((select min(id) - 1 from activity), (select activity_id from activity_head), 0)`,
  ],
}

export const changeMigrations: readonly Migration[] = [
  createChanges,
  addLocks,
  addBreaks,
  addJobs,
  addDeadlines,
  addUndo,
  addMcpKeys,
  addOutbox,
  addSignatures,
]
