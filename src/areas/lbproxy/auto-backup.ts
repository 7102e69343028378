import { Compile } from 'typebox/compile'
import { type Change, change, step } from '../../core/change.ts'
import { dateOf, isBackup, nameOf } from './backups.ts'
import type { Lbproxy } from './context.ts'
import { AutoBackup } from './model.ts'
import { backupsLock } from './locks.ts'

const fileName = 'auto.json'
const hourMs = 3_600_000
const periods = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs } as const
/** A run that is slightly early still counts for its period. */
const slackMs = 10 * 60_000
const settings = Compile(AutoBackup)

/** Returns the schedule of automatic backups. */
export async function readSchedule({ haproxy }: Pick<Lbproxy, 'haproxy'>): Promise<AutoBackup> {
  const kept = jsonIn((await haproxy.backups.read(fileName)) ?? '')
  return settings.Check(kept) ? kept : { enabled: false, every: 'day', keep: 14 }
}

/** Sets the schedule of automatic backups and the number of kept ones. */
export function scheduleBackups({ haproxy }: Lbproxy, wanted: AutoBackup): Change<AutoBackup> {
  const content = JSON.stringify(wanted)
  return change({
    summary: wanted.enabled
      ? `Back up the configuration of the load balancer every ${wanted.every}`
      : 'Stop backing up the configuration of the load balancer',
    locks: [backupsLock],
    steps: [step(haproxy.steps.writeFile, { directory: 'backups', name: fileName, content })],
    reply: wanted,
  })
}

/** Makes a backup if one is due, and removes those beyond the number to keep. Returns the name of the new backup. */
export async function backUpIfDue(on: Pick<Lbproxy, 'haproxy'>, now: Date): Promise<string | null> {
  const { haproxy } = on
  const { enabled, every, keep } = await readSchedule(on)
  const text = await haproxy.readConfig()
  const kept = (await haproxy.backups.list()).filter((name) => isBackup(name, 'auto')).toSorted()
  // a backup named by a clock that was ahead must not delay the next ones
  const last = kept.findLast((each) => Date.parse(dateOf(each)) <= now.getTime())
  const isDue = last === undefined || now.getTime() - Date.parse(dateOf(last)) >= periods[every] - slackMs
  if (!enabled || !isDue || text === '') return null
  const name = nameOf('auto', now)
  await haproxy.backups.write(name, text)
  for (const old of [...kept, name].slice(0, -keep)) await haproxy.backups.remove(old)
  return name
}

/** An invalid file, edited manually, is treated as missing, so that the settings can be saved again. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
