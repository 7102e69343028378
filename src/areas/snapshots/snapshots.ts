import { type Change, change, type RowWrite, type Step, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import { Problem } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { from } from '../../core/returned.ts'
import { differencesTo, type RowDifference, writesTo } from '../../store/differences.ts'
import { restoreSupport } from '../websites/index.ts'
import { type Content, folderOf, readContent, storePath } from './content.ts'
import type { Snapshots } from './context.ts'
import { mostBytes } from './large-files.ts'
import { programOf, readManaged } from './managed.ts'
import type { Snapshot, SnapshotDraft, SnapshotRestored } from './model.ts'
import { NameTaken, SnapshotMissing, SnapshotUnfit } from './problems.ts'
import type { RestoreArgs } from './restore-files-step.ts'
import { comparedTables, reasonOf, restoredOf } from './tables.ts'

const snapshotsLock = singleLock('snapshots')

/** Lists the snapshots, the newest first; folders that are none are left out. */
export async function listSnapshots(on: Snapshots): Promise<{ snapshots: Snapshot[] }> {
  const found: Snapshot[] = []
  for (const name of await on.files.list(on.directory)) {
    const content = await readContent(on, name).catch((error: unknown) => {
      if (error instanceof Problem) return undefined
      throw error
    })
    if (content === undefined) continue
    const { comment, created_at, version, files, left_out = [] } = content
    found.push({ name, comment, created_at, version, files: files.length, left_out })
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
    reply: {
      ...{ name, comment, created_at, version: on.version },
      files: from(taken, 'files'),
      left_out: from(taken, 'left_out'),
    },
  })
}

/** Deletes a snapshot, also one that cannot be read any more. */
export async function deleteSnapshot(on: Snapshots, name: string): Promise<Change<{ success: true }>> {
  if (!(await on.files.facts(folderOf(on, name)))) throw SnapshotMissing(`name: there is no snapshot ${name}`)
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
  const files = await stepsTo(on, name, content)
  const differences = await differencesOf(on, name)
  const support = await supportOf(on, differences)
  const rows = writesTo(differences)
  await assertWritable(on, name, rows)
  return change({
    summary: `Restore the snapshot ${name}`,
    locks: [snapshotsLock, ...support.flatMap(({ locks }) => locks)],
    steps: [
      ...support.flatMap(({ first }) => first),
      ...files.map((args): Step => step(on.restoreFiles, args)),
      ...support.flatMap(({ last }) => last),
    ],
    rows,
    details: [rows.length === 1 ? '1 row of the store changes' : `${rows.length} rows of the store change`],
    reply: { files: files.flatMap((each) => Object.keys(each.files)), rows: rows.length },
  })
}

/** The files that differ, by program. One that people edit too is not removed, although the snapshot has none. */
async function stepsTo(
  on: Snapshots,
  name: string,
  { files: wanted, left_out = [] }: Content,
): Promise<readonly RestoreArgs[]> {
  const { files: now, large } = await readManaged(on)
  const live = new Map(now.map(({ path, content }) => [path, content]))
  const known = new Set([...wanted.map(({ path }) => path), ...left_out])
  const isRemoved = ({ path, program }: { readonly path: string; readonly program: string }) =>
    !known.has(path) && programOf(on, program)?.program.kind === 'owned'
  const written = wanted.filter(({ path, content }) => live.get(path) !== content)
  await assertReadable(on, name, [...written, ...large.filter(isRemoved)])
  const removed = now.filter(isRemoved).map((each) => ({ ...each, content: null }))
  const byProgram = new Map<string, Record<string, string | null>>()
  for (const { program, path, content } of [...written, ...removed])
    byProgram.set(program, { ...byProgram.get(program), [path]: content })
  return [...byProgram].map(([program, files]) => ({ program, files }))
}

/** The present content of a file that changes is kept, for the way back. */
async function assertReadable(
  { files }: Snapshots,
  name: string,
  changing: readonly { readonly path: string }[],
): Promise<void> {
  for (const { path } of changing)
    if (((await files.facts(path))?.sizeBytes ?? 0) > mostBytes)
      throw SnapshotUnfit(
        `name: ${path} is larger than 16 MiB now, so that ${name} cannot replace it: move it away first`,
      )
}

/** The rows that a restore takes back; throws SnapshotUnfit where more differs. */
async function differencesOf(on: Snapshots, name: string): Promise<readonly RowDifference[]> {
  const copy = on.files.real(storePath(folderOf(on, name)))
  const differences = await differencesTo(on.store, copy, comparedTables)
  if (differences === undefined)
    throw SnapshotUnfit(
      `name: the store of the panel has other tables than when ${name} was made: make a new one`,
    )
  const reason = reasonOf(differences)
  if (reason !== undefined)
    throw SnapshotUnfit(
      `name: ${reason} since ${name} was made, which files alone do not take back: use a backup, or change it back first`,
    )
  return restoredOf(differences)
}

/** What websites whose settings differ have in other files than those of nginx. */
async function supportOf({ websites }: Snapshots, differences: readonly RowDifference[]) {
  const ofSettings = differences.filter(({ table }) => table === 'website_settings')
  return Promise.all(
    ofSettings.map(({ key, former }) => {
      const websiteId = Number(key['website_id'])
      const [settings, passwords] = [String(former?.['settings']), former?.['passwords'] ?? null]
      const row = {
        website_id: websiteId,
        settings,
        passwords: passwords === null ? null : String(passwords),
      }
      return restoreSupport(websites, websiteId, former && row)
    }),
  )
}

async function assertWritable({ store }: Snapshots, name: string, rows: readonly RowWrite[]): Promise<void> {
  await store.rehearse(rows).catch((error: unknown) => {
    throw SnapshotUnfit(`name: the settings of ${name} refer to what is not there any more`, { cause: error })
  })
}
