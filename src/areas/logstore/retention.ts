import Type from 'typebox'
import { type Change, change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { singleLock } from '../../core/lock.ts'
import { Problem } from '../../core/problem.ts'
import type { LogQuery } from '../../tools/opensearch/index.ts'
import { job, type Logstore } from './context.ts'
import { removeOldExports } from './exports.ts'
import { defaultRetention, type LogRetention } from './model.ts'
import { preservingQueries } from './saved-searches.ts'
import { renewCertificate } from './sources.ts'
import { isPresent, usedPercent } from './status.ts'
import { retention } from './store.ts'

const retentionLock = singleLock('log_retention')
const dayMs = 86_400_000

/** Reads how long lines are kept. */
export async function readRetention({ queries }: Logstore): Promise<LogRetention> {
  const row = await queries.retention()
  return row === undefined
    ? defaultRetention
    : { max_age_days: row.max_age_days, max_disk_percent: row.max_disk_percent }
}

/** Sets how long lines are kept; the next hourly run applies it. */
export async function setRetention(
  { queries }: Logstore,
  wanted: LogRetention,
): Promise<Change<LogRetention>> {
  const row = await queries.retention()
  return change({
    summary: `Keep log lines for ${wanted.max_age_days} days`,
    locks: [retentionLock],
    rows: [
      row === undefined
        ? retention.insert(retention.row({ id: 1, ...wanted }))
        : retention.update(row, wanted),
    ],
    reply: wanted,
  })
}

/** Deletes what is older than the retention now instead of within the hour. */
export async function applyRetention(
  on: Logstore,
  { caller, now }: Pick<Deciding, 'caller' | 'now'>,
): Promise<Change<{ job_id: number }>> {
  const { max_age_days } = await readRetention(on)
  return change({
    summary: 'Delete log lines that are older than the retention',
    jobs: [
      {
        kind: 'logstore.tidy',
        input: {},
        ownerId: caller.user.id,
        title: 'Delete old log lines',
        preview: async () => [
          `Lines before ${firstKeptDay(now, max_age_days)} are deleted, unless a saved search preserves them`,
        ],
      },
    ],
    reply: ({ jobIds }) => ({ job_id: jobIds[0] ?? 0 }),
  })
}

/** Flags the lines that saved searches preserve. */
export const flagPreserved = job({
  kind: 'logstore.flag',
  input: Type.Object({}),
  timeoutMs: 3_600_000,
  attempts: 3,
  resumes: true,
  run: async ({ logstore }) => {
    if (!(await isUsable(logstore))) return { changed: 0 }
    return { changed: await logstore.opensearch.flagPreserved(await readPreserving(logstore)) }
  },
})

/** Tidies the spool and the exports, flags preserved lines, and deletes days that are too old or that the disk has no room for. */
export const tidy = job({
  kind: 'logstore.tidy',
  input: Type.Object({}),
  timeoutMs: 3_600_000,
  attempts: 2,
  resumes: true,
  schedule: '23 * * * *',
  run: async ({ logstore: on }) => {
    const now = on.store.trustedNow() // undefined while the clock may be wrong: then nothing is deleted by age
    if (now !== undefined) await on.queries.removeExpired(now)
    if (now !== undefined) await removeOldExports(on, now)
    await tidySpool(on)
    await renewCertificate(on)
    if (!(await isUsable(on))) return { deleted: 0 }
    const preserving = await readPreserving(on)
    await on.opensearch.flagPreserved(preserving)
    const wanted = await readRetention(on)
    const byAge =
      now === undefined ? 0 : await deleteOld(on, firstKeptDay(now, wanted.max_age_days), preserving)
    return { deleted: byAge + (await makeRoom(on, wanted.max_disk_percent, preserving)) }
  },
})

/** The queries that preserve lines. One that OpenSearch cannot read matches none, and must not keep old lines on the disk. */
async function readPreserving({ queries, opensearch }: Logstore): Promise<readonly LogQuery[]> {
  const readable: LogQuery[] = []
  for (const query of preservingQueries(await queries.savedSearches()))
    if (await opensearch.isReadable(query)) readable.push(query)
  return readable
}

/** While the backend is stopped on purpose or not installed, there is nothing to do. */
export async function isUsable({ opensearch }: Pick<Logstore, 'opensearch'>): Promise<boolean> {
  return (await isPresent({ opensearch })) && opensearch.isRunning()
}

/** Lines of sources that were deleted while OpenSearch was away are sent by nothing. The spool is listed first: a newer source is not in it. */
async function tidySpool({ queries, rsyslog }: Logstore): Promise<void> {
  const spooled = await rsyslog.spooledSources()
  const known = new Set((await queries.sources()).map(({ id }) => id))
  for (const id of spooled) if (!known.has(id)) await rsyslog.removeSpooled(id)
  await rsyslog.emptyLargeErrors()
}

async function deleteOld(
  { opensearch }: Logstore,
  firstKept: string,
  preserving: readonly LogQuery[],
): Promise<number> {
  let deleted = 0
  for (const day of await opensearch.listDays())
    if (day.day < firstKept) deleted += await opensearch.deleteDay(day, preserving)
  return deleted
}

/** Deletes the oldest days until enough of the disk is free; the newest one stays. */
async function makeRoom(
  { opensearch }: Logstore,
  maxPercent: number,
  preserving: readonly LogQuery[],
): Promise<number> {
  let deleted = 0
  for (const day of (await opensearch.listDays()).slice(0, -1)) {
    const { totalBytes, availableBytes } = await opensearch.readDisk()
    if (usedPercent(totalBytes, availableBytes) <= maxPercent) break
    deleted += await opensearch.deleteDay(day, preserving)
  }
  return deleted
}

/** The day in UTC before which lines are deleted. */
export const firstKeptDay = (now: Date, maxAgeDays: number): string =>
  new Date(now.getTime() - maxAgeDays * dayMs).toISOString().slice(0, 10)

/** Counts the lines that are preserved; 0 while the backend cannot be reached. */
export async function countPreserved({ opensearch }: Logstore): Promise<{ count: number }> {
  try {
    return { count: await opensearch.countPreserved() }
  } catch (error) {
    if (error instanceof Problem) return { count: 0 }
    throw error
  }
}
