import type { LogChoice } from '../model.ts'

/** A search as its form has it. */
export interface Asked {
  readonly query: string
  /** A relative time such as `now-24h`, or two dates with `..` between. */
  readonly range: string
  readonly severity: string
  /** Lines to skip. */
  readonly from: number
}

export const ranges = [
  { value: 'now-15m', label: 'Last 15 minutes' },
  { value: 'now-1h', label: 'Last hour' },
  { value: 'now-24h', label: 'Last 24 hours' },
  { value: 'now-7d', label: 'Last 7 days' },
  { value: 'now-30d', label: 'Last 30 days' },
  { value: 'now-10y', label: 'All' },
]

export const severityChoices = [
  { value: '', label: 'All' },
  { value: 'emerg,alert,crit,err', label: 'Errors' },
  { value: 'emerg,alert,crit,err,warning', label: 'Warnings and errors' },
]

export const firstAsked: Asked = { query: '', range: 'now-24h', severity: '', from: 0 }

const known = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'] as const

/** The request of a search. */
export function choiceOf({ query, range, severity }: Omit<Asked, 'from'>): LogChoice {
  const [timeFrom = '', timeTo = ''] = range.split('..')
  const wanted = severity.split(',')
  return { query, timeFrom, timeTo, sources: [], severity: known.filter((each) => wanted.includes(each)) }
}

/** Narrows a query to a value of a field. */
export function narrowed(query: string, field: string, value: string): string {
  const condition = `${field}:"${value.replaceAll(/["\\]/g, (one) => `\\${one}`)}"`
  if (query.includes(condition)) return query
  return query.trim() === '' ? condition : `(${query.trim()}) AND ${condition}`
}
