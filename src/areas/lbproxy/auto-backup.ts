import Type from 'typebox'
import { compiled } from '../../core/compiled.ts'
import type { Caller } from '../../core/caller.ts'
import { type Change, change } from '../../core/change.ts'
import { schedule, scheduleNamed } from '../../jobs/schedules.ts'
import { isBackup, nameOf, writing } from './backups.ts'
import { type Lbproxy, work } from './context.ts'
import { backupsLock } from './locks.ts'
import { AutoBackup, FileName } from './model.ts'

const name = 'lbproxy.auto-backup'
const zone = 'UTC'
const crons = { hour: '7 * * * *', day: '7 3 * * *', week: '7 3 * * 1' } as const
const byDefault: AutoBackup = { enabled: false, every: 'day', keep: 14 }

const Input = Type.Pick(AutoBackup, ['every', 'keep'])
const stored = compiled(Input)

/** Returns the schedule of automatic backups. */
export async function readSchedule({ store }: Pick<Lbproxy, 'store'>): Promise<AutoBackup> {
  const row = await scheduleNamed(store, name)
  const input: unknown = row && JSON.parse(store.unseal(row.input))
  return row && stored.Check(input) ? { ...input, enabled: row.is_enabled === 1 } : byDefault
}

/** Sets the schedule of automatic backups, which are made in the name of the caller, and the number of kept ones. */
export async function scheduleBackups(
  { store }: Pick<Lbproxy, 'store'>,
  wanted: AutoBackup,
  { user }: Caller,
): Promise<Change<AutoBackup>> {
  const { enabled, every, keep } = wanted
  const draft = {
    kind: backingUp,
    input: { every, keep },
    title: 'Back up the configuration of the load balancer',
    cron: crons[every],
    zone,
    owner: user.id,
    enabled,
  }
  return change({
    summary: enabled
      ? `Back up the configuration of the load balancer every ${every}`
      : 'Stop backing up the configuration of the load balancer',
    locks: [backupsLock],
    rows: [schedule(store, name, draft, await scheduleNamed(store, name))],
    reply: wanted,
  })
}

interface Backing {
  readonly keep: number
  readonly now: Date
}

/** Makes a backup, and removes those beyond the number to keep. */
export async function backUp(
  on: Pick<Lbproxy, 'haproxy'>,
  { keep, now }: Backing,
): Promise<Change<{ backup: string | null }>> {
  const text = await on.haproxy.readConfig()
  const kept = (await on.haproxy.backups.list()).filter((each) => isBackup(each, 'auto'))
  const made = nameOf('auto', now)
  const old = [...kept.toSorted(), made].slice(0, -keep)
  const steps = [writing(on, made, text), ...old.map((each) => writing(on, each, null))]
  return change({
    summary: 'Back up the configuration of the load balancer',
    locks: [backupsLock],
    steps: text === '' ? [] : steps,
    reply: { backup: text === '' ? null : made },
  })
}

/** The work of the schedule. */
export const backingUp = work({
  kind: name,
  input: Input,
  reply: Type.Object({ backup: Type.Union([FileName, Type.Null()]) }),
  timeoutMs: 60_000,
  attempts: 1,
  resumes: true,
  decide: ({ input: { keep }, now, lbproxy }) => backUp(lbproxy, { keep, now }),
})
