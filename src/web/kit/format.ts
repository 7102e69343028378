import { shownTimeZone } from './time-zone.ts'

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** Formats a size in binary units: 1536 is 1.5 KiB. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${power === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[power]}`
}

/** Formats a time relative to now: 5 minutes ago. */
export function formatAgo(time: string, now: number): string {
  const seconds = (Date.parse(time) - now) / 1000
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return unit === 'second' ? 'just now' : relative.format(Math.round(seconds / size), unit)
}

/** Formats a time in full, in the time zone of the account. */
export function formatMoment(time: string): string {
  return new Date(time).toLocaleString(undefined, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: shownTimeZone(),
  })
}

/** Formats the time of day, in the time zone of the account. */
export const formatClock = (time: number): string =>
  new Date(time).toLocaleTimeString(undefined, { timeStyle: 'medium', timeZone: shownTimeZone() })

/** Formats a duration in its two largest units. */
export function formatDuration(seconds: number): string {
  const parts = (
    [
      ['d', 86_400],
      ['h', 3600],
      ['min', 60],
      ['s', 1],
    ] as const
  ).map(([unit, size], index, all) => {
    const above = all[index - 1]?.[1]
    return [Math.floor((above ? seconds % above : seconds) / size), unit] as const
  })
  const first = parts.findIndex(([count]) => count > 0)
  return first < 0
    ? '0 s'
    : parts
        .slice(first, first + 2)
        .filter(([count]) => count > 0)
        .map(([count, unit]) => `${count} ${unit}`)
        .join(' ')
}

/** Turns an identifier of the API into a label: is_suspended becomes Suspended. */
export function humanize(word: string): string {
  if (/^(?:ok|http|tcp)$/.test(word)) return word.toUpperCase()
  const text = word.replaceAll(/[_-]+/g, ' ').replace(/^is /, '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
