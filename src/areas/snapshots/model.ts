import Type, { type Static } from 'typebox'
import { Optional, Text, Time } from '../../core/schemas.ts'

const Name = Type.String({
  maxLength: 100,
  pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,100}$',
  description: 'Name of the snapshot',
  expects: 'letters, digits, dots, _ and -, at most 100',
})

export const SnapshotPath = Type.Object({ name: Name })

export const SnapshotDraft = Type.Object({
  name: Name,
  comment: Optional(Text(500, { description: 'What it is for' })),
})
export type SnapshotDraft = Static<typeof SnapshotDraft>

export const Snapshot = Type.Object({
  name: Name,
  comment: Text(500),
  created_at: Time,
  version: Text(50, { description: 'The version of the panel that made it' }),
  files: Type.Integer({ minimum: 0, description: 'Files that it has' }),
  left_out: Type.Array(Text(4096), {
    maxItems: 100_000,
    description:
      'Managed files that it does not have, as they were too large: 16 MiB is the most for all together',
  }),
})
export type Snapshot = Static<typeof Snapshot>

export const SnapshotList = Type.Object({
  snapshots: Type.Array(Snapshot, { maxItems: 10_000, description: 'The newest first' }),
})

export const SnapshotRestored = Type.Object({
  files: Type.Array(Text(4096), { maxItems: 100_000, description: 'The files that were written or removed' }),
  rows: Type.Integer({ minimum: 0, description: 'The settings in the store of the panel that were changed' }),
})
export type SnapshotRestored = Static<typeof SnapshotRestored>
