/** Returns the day of a time in a time zone, such as `2026-11-29`; in that of the browser if none is given. */
export function dayOf(time: string | Date, timeZone: string | undefined): string {
  const parts = new Intl.DateTimeFormat('en', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    ...(timeZone !== undefined && { timeZone }),
  }).formatToParts(new Date(time))
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}`
}

/** Returns the month of a day, such as `2026-11`. */
export const monthOf = (day: string): string => day.slice(0, 7)

/** Returns the month that is this many months later. */
export function monthAfter(month: string, months: number): string {
  const { year, at } = readMonth(month)
  return new Date(Date.UTC(year, at + months, 1)).toISOString().slice(0, 7)
}

/** Returns the weeks of a month, from Monday on; undefined for the days of the months before and after it. */
export function weeksOf(month: string): readonly (readonly (string | undefined)[])[] {
  const { year, at } = readMonth(month)
  const before = (new Date(Date.UTC(year, at, 1)).getUTCDay() + 6) % 7
  const days = new Date(Date.UTC(year, at + 1, 0)).getUTCDate()
  return Array.from({ length: Math.ceil((before + days) / 7) }, (_week, week) =>
    Array.from({ length: 7 }, (_day, weekday) => {
      const day = week * 7 + weekday - before + 1
      return day < 1 || day > days ? undefined : `${month}-${String(day).padStart(2, '0')}`
    }),
  )
}

/** Formats a day or a month in words: 29 November 2026, November 2026. */
export function titleOf(dayOrMonth: string): string {
  const isMonth = dayOrMonth.length === 7
  return new Date(isMonth ? `${dayOrMonth}-01` : dayOrMonth).toLocaleDateString('en-GB', {
    ...(!isMonth && { day: 'numeric' }),
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
}

function readMonth(month: string): { readonly year: number; readonly at: number } {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return { year, at: number - 1 }
}
