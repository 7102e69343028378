import Type, { type Static } from 'typebox'
import { compiled } from '../../core/compiled.ts'
import { BackupDamaged } from './problems.ts'

const count = Type.Integer({ minimum: 0 })
const name = Type.String({ minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' })

/** A manifest names no more tables of a database. */
export const mostTables = 5000

/** One file of a backup. */
export const Part = Type.Object({
  file: name,
  kind: Type.Enum(['files', 'database', 'record', 'snapshot']),
  /** The name of the database. */
  database: Type.Optional(Type.String({ maxLength: 64 })),
  /** Its tables and views; the rows of those that nobody wrote to while they were dumped. */
  tables: Type.Optional(
    Type.Array(
      Type.Object({ name: Type.String({ maxLength: 64 }), rows: Type.Union([count, Type.Null()]) }),
      {
        maxItems: mostTables,
      },
    ),
  ),
  size_bytes: count,
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})
export type Part = Static<typeof Part>

/** What a backup contains, written last. */
export const Manifest = Type.Object({
  version: Type.Literal(1),
  name,
  set: Type.String({ minLength: 1, maxLength: 63 }),
  username: Type.String({ minLength: 1, maxLength: 32, pattern: '^[a-z_][a-z0-9_-]*$' }),
  domain: Type.String({ minLength: 1, maxLength: 253, pattern: '^[a-z0-9.-]+$' }),
  user_id: Type.Integer(),
  time_mark: Type.String({ maxLength: 35 }),
  /** The full backup at the start of the chain, and the one before this one; null for a full one. */
  chain: name,
  parent: Type.Union([name, Type.Null()]),
  position: count,
  encrypted: Type.Boolean(),
  /** Tells, with the name of the chain, whether a passphrase is that of the chain. */
  key_id: Type.Union([Type.String({ maxLength: 64 }), Type.Null()]),
  /** `changed` counts the entries that were changed while they were packed; absent where nobody looked. */
  files: Type.Union([
    Type.Object({ entries: count, bytes: count, changed: Type.Optional(count) }),
    Type.Null(),
  ]),
  /** Databases that were dumped. */
  databases: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 1000 }),
  complete: Type.Boolean(),
  /** The first of what is not in the backup as it is on the host, and how many there are. */
  omitted: Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 1000 }),
  omitted_count: count,
  parts: Type.Array(Part, { maxItems: 1010 }),
})
export type Manifest = Static<typeof Manifest>

const manifest = compiled(Manifest)

/** Parses a manifest; undefined if it is none. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return manifest.Check(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns the size of a backup with all its parts. */
export const sizeOf = ({ parts }: Pick<Manifest, 'parts'>): number =>
  parts.reduce((sum, { size_bytes }) => sum + size_bytes, 0)

/** Returns the backups that a restore of one needs, from the full one; fails if one is missing. */
export function chainOf(points: readonly Manifest[], point: Manifest): readonly Manifest[] {
  const byName = new Map(points.map((each) => [each.name, each]))
  const chain = [point]
  for (let at = point; at.parent !== null;) {
    const parent = byName.get(at.parent)
    if (parent === undefined || parent.position >= at.position)
      throw BackupDamaged(`The backup ${at.parent}, which ${at.name} continues, is missing`)
    chain.unshift(parent)
    at = parent
  }
  return chain
}

/** How long backups are kept. */
export interface Retention {
  /** The number of the newest that are kept. */
  readonly keep: number
  /** Those made before this time are not kept, but for the newest; absent for any age. */
  readonly before?: string
}

/** Returns the time before which backups are not kept; nothing if they are kept at any age. */
export const retentionOf = (
  { keep, keep_days }: { readonly keep: number; readonly keep_days: number },
  now: Date,
): Retention =>
  keep_days === 0 ? { keep } : { keep, before: new Date(now.getTime() - keep_days * dayMs).toISOString() }

const dayMs = 86_400_000

/** Returns the backups that are not kept, and that none of the kept ones needs. Points are ordered by time. */
export function surplusOf(
  points: readonly Manifest[],
  { keep, before = '' }: Retention,
): readonly Manifest[] {
  const newest = points.at(-1)
  const isKept = (point: Manifest) => point === newest || point.time_mark >= before
  const kept = new Set(
    points
      .slice(-keep)
      .filter(isKept)
      .map(({ name }) => name),
  )
  const parents = new Map(points.map(({ name, parent }) => [name, parent]))
  for (const name of kept) {
    const parent = parents.get(name)
    if (typeof parent === 'string') kept.add(parent)
  }
  return points.filter(({ name }) => !kept.has(name))
}

/** Compares backups by time. */
export const byTime = (one: Manifest, other: Manifest): number =>
  one.time_mark < other.time_mark ? -1 : one.time_mark > other.time_mark ? 1 : 0

/** Returns the backups of both lists by time, each once. */
export const together = (ones: readonly Manifest[], others: readonly Manifest[]): readonly Manifest[] => {
  const names = new Set(ones.map(({ name }) => name))
  return [...ones, ...others.filter(({ name }) => !names.has(name))].toSorted(byTime)
}
