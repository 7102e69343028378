import { Compile } from 'typebox/compile'
import { type Change, change, step } from '../../core/change.ts'
import type { Haproxy } from '../../tools/haproxy/index.ts'
import { dateOf, isBackup, nameOf } from './backups.ts'
import { AutoBackup } from './model.ts'

const fileName = 'auto.json'
const hourMs = 3_600_000
const periods = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs } as const
/** A run that is slightly early still counts for its period. */
const slackMs = 10 * 60_000
const settings = Compile(AutoBackup)

/** Reads and writes the schedule of automatic backups and the number of kept ones, and makes them. */
export function autoBackupVerbs(haproxy: Haproxy) {
  const read = async (): Promise<AutoBackup> => {
    const kept = jsonIn((await haproxy.backups.read(fileName)) ?? '')
    return settings.Check(kept) ? kept : { enabled: false, every: 'day', keep: 14 }
  }
  return {
    autoBackup: read,
    setAutoBackup: (wanted: AutoBackup): Change<AutoBackup> =>
      change({
        summary: wanted.enabled
          ? `Back up the configuration of the load balancer every ${wanted.every}`
          : 'Stop backing up the configuration of the load balancer',
        locks: ['lbproxy backups'],
        steps: [
          step(haproxy.steps.writeFile, {
            directory: 'backups',
            name: fileName,
            content: JSON.stringify(wanted),
          }),
        ],
        reply: wanted,
      }),
    /**
     * Makes a backup if one is due, and removes those beyond the number to keep. Returns the name of the new
     * backup.
     */
    backUpIfDue: async (now: Date): Promise<string | null> => {
      const { enabled, every, keep } = await read()
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
    },
  }
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
