import { Cron } from 'croner'

const months = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'
const days = 'sun|mon|tue|wed|thu|fri|sat'
const range = (value: string) => `(?:\\*|${value}(?:-${value})?)(?:/\\d{1,2})?`
const list = (value: string) => new RegExp(`^${range(value)}(?:,${range(value)})*$`, 'i')
const number = '\\d{1,2}'

const parts = [
  { name: 'minute', form: list(number), most: 59 },
  { name: 'hour', form: list(number), most: 23 },
  { name: 'day of the month', form: list(number), most: 31 },
  { name: 'month', form: list(`(?:${number}|${months})`), most: 12 },
  { name: 'day of the week', form: list(`(?:${number}|${days})`), most: 7 },
] as const

/** The times of the names; undefined for @reboot. */
const named: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

/** Returns what is wrong with a schedule; undefined for one that cron accepts. */
export function flawOf(schedule: string): string | undefined {
  if (schedule.startsWith('@')) return undefined // lines.ts knows the names
  for (const [index, text] of schedule.split(' ').entries()) {
    const { name, form, most } = parts[index]!
    if (!form.test(text)) return `the ${name} ${text} is not one`
    const tooLarge = text
      .replaceAll(/\/\d+/g, '')
      .match(/\d+/g)
      ?.find((each) => Number(each) > most)
    if (tooLarge !== undefined) return `the ${name} ${tooLarge} is above ${most}`
  }
  try {
    cronOf(schedule, 'UTC')
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Returns the next times at which a schedule runs, in a time zone; none for @reboot. */
export function nextRuns(schedule: string, from: Date, { timeZone, count }: Reading): readonly Date[] {
  const times = schedule.startsWith('@') ? named[schedule] : schedule
  return times === undefined ? [] : cronOf(times, timeZone).nextRuns(count, from)
}

interface Reading {
  readonly timeZone: string
  readonly count: number
}

/** A day matches if the day of the month or that of the week does, unless one of them begins with *: then both must (cron(8)). */
function cronOf(schedule: string, timezone: string): Cron {
  const [, , dayOfMonth = '', , dayOfWeek = ''] = schedule.split(' ')
  const domAndDow = dayOfMonth.startsWith('*') || dayOfWeek.startsWith('*')
  return new Cron(schedule, { timezone, domAndDow, mode: '5-part' })
}
