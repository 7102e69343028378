import { type Change, change } from '../../../core/change.ts'
import type { Deciding } from '../../../core/endpoint.ts'
import { singleLock } from '../../../core/lock.ts'
import { queriesOf } from '../../../store/table-queries.ts'
import { isPluginEnabled } from '../../plugins/index.ts'
import type { Monitoring } from '../context.ts'
import { inMaintenance } from '../maintenance.ts'
import { assertEnabled, loadMonitor } from '../monitors.ts'
import { StatusPageMissing } from '../problems.ts'
import { availabilityOf } from '../samples/figures.ts'
import type { MonitorRow, StateRow } from '../store.ts'
import { mostShown, type PublicStatus, type StatusPage, type StatusPageDraft } from './model.ts'
import { statusPage } from './store.ts'

const pageLock = singleLock('uptime_status_page')
const shownDays = 90
const dayMs = 86_400_000
/** Anybody may ask, as often as they like: the status is read so often at most. */
const keptMs = 15_000

type Now = Pick<Deciding, 'now'>
type Shown = PublicStatus['monitors'][number]

const findPage = ({ store }: Pick<Monitoring, 'store'>) => queriesOf(store, statusPage).find({ id: 1 })
const idsIn = (text: string): number[] => (text === '' ? [] : text.split(',').map(Number))

/** Reads whether the status is public, and what of it. */
export async function readStatusPage(on: Monitoring): Promise<StatusPage> {
  assertEnabled(on)
  const row = await findPage(on)
  return {
    is_enabled: row?.is_enabled === 1,
    title: row?.title ?? '',
    monitor_ids: idsIn(row?.monitor_ids ?? ''),
  }
}

/** Makes the status public, or private again. */
export async function setStatusPage(on: Monitoring, draft: StatusPageDraft): Promise<Change<StatusPage>> {
  assertEnabled(on)
  for (const id of draft.monitor_ids) await loadMonitor(on, id)
  const row = await findPage(on)
  const set = { ...draft, monitor_ids: [...new Set(draft.monitor_ids)].join(',') }
  return change({
    summary: draft.is_enabled ? 'Make the status of monitors public' : 'Keep the status of monitors private',
    locks: [pageLock],
    rows: [
      row === undefined ? statusPage.insert(statusPage.row({ id: 1, ...set })) : statusPage.update(row, set),
    ],
    reply: { ...draft, monitor_ids: idsIn(set.monitor_ids) },
  })
}

interface Kept {
  readonly until: number
  readonly revision: number
  readonly status: Promise<PublicStatus>
}

const kept = new WeakMap<Monitoring, Kept>()

/** Reads what anybody may know of the monitors. */
export async function readPublicStatus(on: Monitoring, { now }: Now): Promise<PublicStatus> {
  const page = isPluginEnabled(on.plugins, 'uptime') ? await findPage(on) : undefined
  if (page?.is_enabled !== 1) throw StatusPageMissing()
  const known = kept.get(on)
  if (known !== undefined && known.until > now.getTime() && known.revision === page.revision)
    return known.status
  const status = statusOf(on, page, now)
  kept.set(on, { until: now.getTime() + keptMs, revision: page.revision, status })
  status.catch(() => kept.delete(on))
  return status
}

async function statusOf(
  on: Monitoring,
  page: { readonly title: string; readonly monitor_ids: string },
  now: Date,
): Promise<PublicStatus> {
  const shown = chosen(await on.queries.all(), idsIn(page.monitor_ids))
  const states = new Map((await on.queries.states()).map((state) => [state.monitor_id, state]))
  const maintained = inMaintenance(await on.queries.windows(), now)
  const since = new Date(now.getTime() - shownDays * dayMs).toISOString().slice(0, 10)
  const rows = await on.queries.daysOfAll(
    shown.map(({ id }) => id),
    since,
  )
  const byMonitor = Map.groupBy(rows, (row) => row.monitor_id)
  const monitors = shown.map(({ id, name }): Shown => {
    const days = byMonitor.get(id) ?? []
    const isMaintained = maintained === 'all' || maintained.has(id)
    return {
      name,
      state: isMaintained ? 'maintenance' : stateOf(states.get(id)),
      availability: days.length === 0 ? null : availabilityOf(sumOf(days)),
      days: days.map((each) => ({ day: each.day, availability: availabilityOf(each) })),
    }
  })
  return { title: page.title, monitors }
}

/** A monitor that was deleted or is disabled is not shown. */
function chosen(all: readonly MonitorRow[], ids: readonly number[]): readonly MonitorRow[] {
  const enabled = all.filter((row) => row.is_enabled === 1)
  if (ids.length > 0) return ids.flatMap((id) => enabled.find((row) => row.id === id) ?? [])
  return enabled.toSorted((one, other) => one.name.localeCompare(other.name)).slice(0, mostShown)
}

const stateOf = (state: StateRow | undefined): Shown['state'] => {
  if (state?.is_down === 1) return 'down'
  return state === undefined || state.state === 'error' ? 'unknown' : 'up'
}

interface Checks {
  readonly checks: number
  readonly failed: number
}

const sumOf = (days: readonly Checks[]): Checks => ({
  checks: days.reduce((sum, day) => sum + day.checks, 0),
  failed: days.reduce((sum, day) => sum + day.failed, 0),
})
