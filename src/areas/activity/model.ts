import Type from 'typebox'
import { Id, OneOf, Optional, Prose, Text, Time } from '../../core/schemas.ts'

const Nullable = Type.Union([Id, Type.Null()])

export const Entry = Type.Object({
  id: Id,
  action: Text(100, { description: 'What was done, such as users_create_user' }),
  title: Text(300, { description: 'What the action is called' }),
  user_id: Nullable,
  user_email: Type.Union([Text(254), Type.Null()], {
    description: 'E-mail address of the user; null if nobody was signed in, or the user was deleted',
  }),
  key_id: Nullable,
  mcp_key_id: Type.Union([Id, Type.Null()], { description: 'Key of the agent that asked for it' }),
  ip: Text(64),
  method: Text(10),
  path: Text(4096),
  request: Type.Unknown({ description: 'What was asked for, without secrets' }),
  status: OneOf(['ok', 'failed', 'restored', 'cancelled'], {
    description:
      'restored: it failed and everything is as it was before; cancelled: somebody stopped it, and it was undone',
  }),
  duration_ms: Type.Integer({ minimum: 0 }),
  request_id: Text(100),
  message: Prose(8000),
  created_at: Time,
  undo_refusal: Type.Union([Text(500), Type.Null()], {
    description: 'Why it cannot be undone; null if it can, unless it has been changed since',
  }),
})

const ChangedStep = Type.Object({
  title: Text(1000),
  files: Optional(
    Type.Array(Type.Object({ path: Text(4096), diff: Prose(10_000_000, { description: 'Unified diff' }) }), {
      maxItems: 10_000,
    }),
  ),
  objects: Optional(
    Type.Array(
      Type.Object({
        name: Text(1000),
        before: Type.Union([Prose(100_000), Type.Null()], { description: 'Null if there was none' }),
        after: Type.Union([Prose(100_000), Type.Null()], { description: 'Null if it was removed' }),
      }),
      { maxItems: 10_000 },
    ),
  ),
})

export const EntryDetails = Type.Object({
  ...Entry.properties,
  steps: Type.Array(ChangedStep, {
    maxItems: 10_000,
    description: 'What the change did, without secrets; empty if it failed, or is too old to be undone',
  }),
})

export const Action = Type.Object({
  action: Text(100, { description: 'Value of the filter' }),
  title: Text(300, { description: 'What the action is called' }),
  area: Text(50, { description: 'Area that it belongs to' }),
})

export const EntryPath = Type.Object({ id: Id })

export const Undone = Type.Object({
  entry_id: Id,
  message: Prose(500),
})

export const EntryFilter = Type.Object({
  action: Optional(Text(100, { description: 'Only this action' })),
  area: Optional(Text(50, { description: 'Only actions of this area' })),
  user_id: Optional(Id),
  mcp_key_id: Optional(Type.Integer({ ...Id, description: 'Only those of agents with this key' })),
  status: Optional(OneOf(['ok', 'failed', 'restored', 'cancelled'])),
  from: Optional(
    Type.String({
      maxLength: 35,
      format: 'date-time',
      description: 'Not before this time',
      expects: 'an RFC 3339 time',
    }),
  ),
  to: Optional(
    Type.String({
      maxLength: 35,
      format: 'date-time',
      description: 'Before this time',
      expects: 'an RFC 3339 time',
    }),
  ),
  search: Optional(Type.String({ maxLength: 200, description: 'Text in action, path, message or address' })),
})

export const EntryQuery = Type.Object({
  ...EntryFilter.properties,
  cursor: Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'next_cursor of the page before',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 50, description: 'Entries a page' }),
})

export const EntryPage = Type.Object({
  items: Type.Array(Entry, { maxItems: 500 }),
  next_cursor: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Where the next page goes on; null at the end',
  }),
})

export const Verification = Type.Object({
  ok: Type.Boolean({ description: 'Whether the chain is whole' }),
  checked: Optional(Type.Integer({ minimum: 0 })),
  from: Optional(Type.Integer({ minimum: 0 })),
  to: Optional(Type.Integer({ minimum: 0 })),
  broken_at: Optional(
    Type.Integer({ minimum: 0, description: 'The first entry that is not as it was written' }),
  ),
  reason: Optional(Text(300)),
})

export const Chain = Type.Object({
  public_key: Text(44, {
    description:
      'The Ed25519 key that signs checkpoints: 32 bytes in base64, as `hostreeve verify --key` takes it',
  }),
  public_key_pem: Prose(200, { description: 'The same as PEM' }),
  checkpoint: Text(1000, {
    description:
      'The newest entry, signed now: one line of JSON, as `hostreeve verify --checkpoint` takes it in a file',
  }),
  last_verification: Type.Union(
    [Type.Object({ ...Verification.properties, verified_at: Time }), Type.Null()],
    { description: 'What the last check has found; null before the first' },
  ),
})
