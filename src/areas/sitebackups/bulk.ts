import type { Static } from 'typebox'
import { type Change, change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { singleLock } from '../../core/lock.ts'
import type { Backups } from './context.ts'
import { withinRequest } from './copies.ts'
import type { Manifest } from './manifest.ts'
import type { BulkProgress } from './model.ts'
import { BulkRunning, NoBackups } from './problems.ts'
import { draftRestore, restoringInBulk } from './restore.ts'
import { defaultSet, safetySet } from './sets.ts'
import { bulkRestores } from './store.ts'

const bulkLock = singleLock('restore of all websites')
const activeStates = new Set(['queued', 'running'])

interface AskedAll {
  readonly source: 'local' | 's3'
  readonly passphrase?: string
}

/** Restores every website that has a backup, one job each: from the set `default`, otherwise the newest. */
export async function restoreAll(
  on: Backups,
  { source, passphrase }: AskedAll,
  { caller, now, id, signal }: Pick<Deciding, 'caller' | 'now' | 'id' | 'signal'>,
): Promise<Change<{ job_id: number }>> {
  if ((await readProgress(on)).running) throw BulkRunning()
  const points = await chosenPoints(on, source, signal)
  if (points.length === 0) throw NoBackups()
  const sites = points.map(({ username, domain }) => ({ username, domain }))
  const row = bulkRestores.row({ id: id(bulkRestores.name), sites, started_at: now.toISOString() })
  const asked = {
    restore_files: false,
    restore_database: false,
    source,
    ...(passphrase !== undefined && { passphrase }),
  }
  return change({
    summary: `Restore ${points.length} websites`,
    locks: [bulkLock],
    rows: [bulkRestores.insert(row)],
    jobs: points.map((point) => ({
      kind: restoringInBulk.kind,
      input: draftRestore(point, asked, id),
      ownerId: caller.user.id,
      title: `Restore ${point.domain}`,
    })),
    reply: ({ jobIds }) => ({ job_id: jobIds[0] ?? 0 }),
  })
}

async function chosenPoints(
  { depot, copies }: Backups,
  source: AskedAll['source'],
  signal: AbortSignal,
): Promise<readonly Manifest[]> {
  if (source === 's3') await copies.assertOn()
  const bySite =
    source === 's3'
      ? (await withinRequest(signal, (limited) => copies.sites(limited))).map(({ points }) => points)
      : await Promise.all((await depot.sites()).map((site) => depot.points(site)))
  const found = bySite.map((all) => {
    const points = all.filter(({ set }) => set !== safetySet)
    return points.findLast(({ set }) => set === defaultSet) ?? points.at(-1)
  })
  return found.filter((point) => point !== undefined)
}

type Progress = Static<typeof BulkProgress>

/** Returns how far the running or last restore of all websites is. */
export async function readProgress({ queries }: Backups): Promise<Progress> {
  const row = await queries.lastBulk()
  if (row === undefined) return { running: false, total: 0, done: 0, failed: 0, started_at: null, items: [] }
  const { sites, started_at } = bulkRestores.show(row)
  const jobs = await queries.jobsSince(restoringInBulk.kind, started_at)
  const items = sites.map(({ username, domain }, at) => {
    const job = jobs[at]
    const message = job?.error ?? job?.message ?? ''
    return { username, domain, state: job?.state ?? 'queued', message: message.slice(0, 4000) }
  })
  const done = items.filter(({ state }) => !activeStates.has(state))
  return {
    running: done.length < items.length,
    total: items.length,
    done: done.length,
    failed: done.filter(({ state }) => state !== 'succeeded').length,
    started_at,
    items,
  }
}
