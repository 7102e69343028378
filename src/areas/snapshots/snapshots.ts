import { type Change, change, type Step, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import { Problem } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { from } from '../../core/returned.ts'
import { differencesTo } from '../../store/differences.ts'
import { type Content, folderOf, readContent, storePath } from './content.ts'
import type { Snapshots } from './context.ts'
import { type ManagedFile, readManaged } from './managed.ts'
import type { Snapshot, SnapshotDraft, SnapshotRestored } from './model.ts'
import { NameTaken, SnapshotUnfit } from './problems.ts'
import type { RestoreArgs } from './restore-files-step.ts'
import { restoredTables, serverTable, tiedTables } from './tables.ts'
import { isSwitched } from './web-server-store.ts'

const snapshotsLock = singleLock('snapshots')

/** Lists the snapshots, the newest first; folders that are none are left out. */
export async function listSnapshots(on: Snapshots): Promise<{ snapshots: Snapshot[] }> {
  const found: Snapshot[] = []
  for (const name of await on.files.list(on.directory)) {
    const content = await readContent(on, name).catch((error: unknown) => {
      if (error instanceof Problem) return undefined
      throw error
    })
    if (content !== undefined) found.push({ name, ...content, files: content.files.length })
  }
  return { snapshots: found.toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1)) }
}

/** Copies every managed file and the store. */
export async function createSnapshot(
  on: Snapshots,
  { name, comment = '' }: SnapshotDraft,
  now: Date,
): Promise<Change<Snapshot>> {
  if (await on.files.facts(folderOf(on, name))) throw NameTaken(`name: there is a snapshot ${name} already`)
  const created_at = now.toISOString()
  const taken = step(on.take, { name, comment, created_at })
  return change({
    summary: `Make the snapshot ${name}`,
    locks: [snapshotsLock],
    steps: [taken],
    reply: { name, comment, created_at, version: on.version, files: from(taken, 'files') },
  })
}

/** Deletes a snapshot. */
export async function deleteSnapshot(on: Snapshots, name: string): Promise<Change<{ success: true }>> {
  await readContent(on, name)
  return change({
    summary: `Delete the snapshot ${name}`,
    locks: [snapshotsLock],
    steps: [step(on.drop, { name })],
    reply: success,
  })
}

/** Gives the programs their files of a snapshot, and the store its settings; all of them or none. */
export async function restoreSnapshot(on: Snapshots, name: string): Promise<Change<SnapshotRestored>> {
  const content = await readContent(on, name)
  const steps = stepsTo(content.files, await readManaged(on))
  const writes = await writesTo(on, name)
  return change({
    summary: `Restore the snapshot ${name}`,
    locks: [snapshotsLock],
    steps: steps.map((args): Step => step(on.restoreFiles, args)),
    rows: writes,
    details: [
      writes.length === 1 ? '1 row of the store changes' : `${writes.length} rows of the store change`,
    ],
    reply: { files: steps.flatMap(({ files }) => Object.keys(files)), rows: writes.length },
  })
}

/** The files that differ, by program. */
function stepsTo(wanted: Content['files'], now: readonly ManagedFile[]): readonly RestoreArgs[] {
  const live = new Map(now.map(({ path, content }) => [path, content]))
  const saved = new Set(wanted.map(({ path }) => path))
  const changed = [
    ...wanted.filter(({ path, content }) => live.get(path) !== content),
    ...now.filter(({ path }) => !saved.has(path)).map((each) => ({ ...each, content: null })),
  ]
  const byProgram = new Map<string, Record<string, string | null>>()
  for (const { program, path, content } of changed)
    byProgram.set(program, { ...byProgram.get(program), [path]: content })
  return [...byProgram].map(([program, files]) => ({ program, files }))
}

async function writesTo(on: Snapshots, name: string) {
  const copy = on.files.real(storePath(folderOf(on, name)))
  const tables = [serverTable, ...tiedTables, ...restoredTables]
  const { isSameSchema, writes: all } = await differencesTo(on.store.db, copy, tables)
  if (!isSameSchema)
    throw SnapshotUnfit(
      `name: the store of the panel has other tables than when ${name} was made: make a new one`,
    )
  if (await isSwitched(on, all))
    throw SnapshotUnfit(`name: the web server was switched since ${name} was made: switch it back first`)
  const writes = all.filter(({ table }) => table !== serverTable)
  const tied = writes.find(({ table, write }) => write !== 'update' && tiedTables.includes(table))
  if (tied !== undefined)
    throw SnapshotUnfit(
      `name: ${tied.table} were ${tied.write === 'insert' ? 'deleted' : 'created'} since ${name} was made, which files alone do not bring back: use a backup`,
    )
  await on.store.rehearse(writes).catch((error: unknown) => {
    throw SnapshotUnfit(`name: the settings of ${name} refer to what is not there any more`, { cause: error })
  })
  return writes
}
