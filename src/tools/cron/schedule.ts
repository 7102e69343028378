import { Cron } from 'croner'

interface Field {
  readonly name: string
  readonly least: number
  readonly most: number
  readonly names?: readonly string[]
}

const fields: readonly Field[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of the month', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12, names: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ') },
  { name: 'day of the week', least: 0, most: 7, names: 'sun mon tue wed thu fri sat'.split(' ') },
]

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
  const texts = schedule.split(' ')
  for (const [index, field] of fields.entries()) {
    const read = valuesOf(field, texts[index] ?? '')
    if (typeof read === 'string') return read
  }
  return undefined
}

/**
 * Returns the values of a field as Debian's cron reads it (get_list and get_range in entry.c of cron 3.0pl1), or what is
 * wrong with it. `sun` is 0 at either end of a range. Refused is also what cron takes and nobody means: a range that ends
 * before it begins, which never runs, and a step after a single value, which it ignores.
 */
function valuesOf(field: Field, text: string): ReadonlySet<number> | string {
  const values = new Set<number>()
  for (const item of text.split(',')) {
    const flaw = addRange(field, item, values)
    if (flaw !== undefined) return flaw.replace('{text}', text)
  }
  return values
}

function addRange(field: Field, item: string, values: Set<number>): string | undefined {
  const { name, least, most } = field
  const found = /^(?:(\*)|(\w+)(?:-(\w+))?)(?:\/(\d{1,9}))?$/.exec(item)
  if (found === null) return `the ${name} {text} is not one`
  const [, star, from = '', to, step] = found
  const first = star ? least : numberIn(field, from)
  const last = star ? most : to === undefined ? first : numberIn(field, to)
  if (first === undefined || last === undefined) return `the ${name} {text} is not one`
  for (const value of [first, last]) {
    if (value > most) return `the ${name} ${value} is above ${most}`
    if (value < least) return `the ${name} ${value} is below ${least}`
  }
  if (first > last) return `the ${name} ${item} ends before it begins: cron has no ranges that wrap around`
  if (step !== undefined && !star && to === undefined)
    return `the ${name} ${item} has a step without a range: write ${from}-${most}/${step}`
  if (step !== undefined && Number(step) === 0) return `the ${name} ${item} has a step of 0`
  for (let value = first; value <= last; value += Number(step ?? 1)) values.add(value)
  return undefined
}

/** A name counts before a number; both may be at either end of a range. */
function numberIn({ least, names = [] }: Field, text: string): number | undefined {
  const index = names.indexOf(text.toLowerCase())
  if (index !== -1) return index + least
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
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
  const texts = schedule.split(' ')
  const [, , dayOfMonth = '', , dayOfWeek = ''] = texts
  const domAndDow = dayOfMonth.startsWith('*') || dayOfWeek.startsWith('*')
  const plain = fields.map((field, index) => {
    const values = valuesOf(field, texts[index] ?? '')
    if (typeof values === 'string') throw new RangeError(values)
    return [...new Set([...values].map((value) => (field.most === 7 ? value % 7 : value)))].join(',')
  })
  return new Cron(plain.join(' '), { timezone, domAndDow, mode: '5-part' })
}
