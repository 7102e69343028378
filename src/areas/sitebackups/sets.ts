import { Cron } from 'croner'
import { type Change, change } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { schedule, scheduleNamed } from '../../jobs/schedules.ts'
import { deleteRow } from '../../store/rows.ts'
import type { LoadedWebsite } from '../websites/index.ts'
import type { Backups } from './context.ts'
import { backupLock } from './locks.ts'
import type { BackupSet, SetDraft } from './model.ts'
import { SetInvalid, SetUnknown } from './problems.ts'
import { backupSets, type SetRow } from './store.ts'

/** The kind of work that makes a backup; schedules name it. */
export const backUpKind = 'sitebackups.back-up'
export const defaultSet = 'default'
/** The set of the backups that restores make before they begin. */
export const safetySet = 'before-restore'

/** Lists the sets of a website; `default` exists without a row. */
export async function listSets(on: Backups, { id }: LoadedWebsite): Promise<{ sets: BackupSet[] }> {
  const sets = (await on.queries.setsOf(id)).map(showSet)
  if (!sets.some(({ name }) => name === defaultSet)) sets.unshift(standardSet)
  return { sets }
}

/** Returns a set of a website, or fails with 404. */
export async function findSet(on: Backups, { id, domain }: LoadedWebsite, name: string): Promise<BackupSet> {
  const row = await on.queries.findSet(id, name)
  if (row !== undefined) return showSet(row)
  if (name === defaultSet) return standardSet
  throw SetUnknown(`set: ${domain} has no set ${name}`)
}

const standardSet: BackupSet = {
  ...{ name: defaultSet, files: true, databases: true, schedule: '' },
  ...{ keep: 7, keep_days: 0 },
}

function showSet(row: SetRow): BackupSet {
  const { id: _id, website_id: _website, ...set } = backupSets.show(row)
  return set
}

const mostSets = 100
const scheduleName = (websiteId: number, set: string): string => `backups.set:${websiteId}:${set}`

/** Creates a set of a website, or replaces the one of its name. */
export async function saveSet(
  on: Backups,
  site: LoadedWebsite,
  draft: SetDraft,
  id: (table: string) => number,
): Promise<Change<BackupSet>> {
  assertValid(draft)
  const known = await on.queries.setsOf(site.id)
  const former = known.find(({ name }) => name === draft.name)
  if (former === undefined && known.length >= mostSets)
    throw SetInvalid(`name: a website has at most ${mostSets} sets: delete one first`)
  const row = backupSets.row({ id: former?.id ?? id(backupSets.name), website_id: site.id, ...draft })
  const name = scheduleName(site.id, draft.name)
  const timing = schedule(
    on.store,
    name,
    {
      kind: { kind: backUpKind },
      input: { website_id: site.id, set: draft.name },
      title: `Back up ${site.domain}`,
      cron: draft.schedule === '' ? '0 3 * * *' : draft.schedule,
      zone: await on.timeZone(),
      owner: null,
      enabled: draft.schedule !== '',
    },
    await scheduleNamed(on.store, name),
  )
  return change({
    summary: `Save the set ${draft.name} of backups of ${site.domain}`,
    locks: [backupLock(site)],
    rows: [
      ...(former === undefined ? [] : [backupSets.delete({ id: former.id })]),
      backupSets.insert(row),
      timing,
    ],
    reply: draft,
  })
}

/** Five fields: a schedule by the second would fill the disk. */
function assertValid({ name, files, databases, schedule: cron }: SetDraft): void {
  if (name === safetySet) throw SetInvalid(`name: ${safetySet} is the set of backups that restores make`)
  if (!files && !databases) throw SetInvalid('files: a set must contain files or databases')
  if (cron === '') return
  if (cron.trim().split(/\s+/).length !== 5)
    throw SetInvalid('schedule: must be a cron expression of five fields, such as 0 3 * * *')
  try {
    if (new Cron(cron, { paused: true }).nextRun() === null) throw new RangeError('it never runs')
  } catch (error) {
    throw SetInvalid(
      `schedule: must be a cron expression of five fields, such as 0 3 * * *: ${messageOf(error)}`,
    )
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Deletes a set; its backups stay. */
export async function deleteSet(on: Backups, site: LoadedWebsite, name: string) {
  const row = await on.queries.findSet(site.id, name)
  if (row === undefined) throw SetUnknown(`name: ${site.domain} has no set ${name} of its own`)
  return change({
    summary: `Delete the set ${name} of backups of ${site.domain}`,
    locks: [backupLock(site)],
    rows: removedSet(row),
    details: ['Its backups stay'],
    reply: success,
  })
}

/** Returns the writes that remove a set with its schedule. */
export const removedSet = ({ id, website_id, name }: SetRow) => [
  backupSets.delete({ id }),
  deleteRow('schedules', { name: scheduleName(website_id, name) }),
]
