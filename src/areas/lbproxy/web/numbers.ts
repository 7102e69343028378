import { formatBytes } from '../../../web/kit/format.ts'
import type { Sample } from './sample.ts'

/** A metric: its name, its series in a chart and its number format. */
export interface Metric {
  readonly id: string
  readonly label: string
  readonly lines: readonly { readonly label: string; readonly of: (sample: Sample) => number }[]
  readonly format: (value: number) => string
  readonly isBinary?: boolean
}

/** Formats a number with a precision that suits its size. */
export function formatCount(value: number): string {
  if (value >= 10_000_000) return `${(value / 1_000_000).toFixed(0)} M`
  if (value >= 1_000_000) return `${(value / 1_000_000).toFixed(1)} M`
  if (value >= 10_000) return `${(value / 1000).toFixed(0)} k`
  if (value >= 100 || Number.isInteger(value)) return value.toFixed(0)
  return value.toFixed(value < 1 ? 2 : 1)
}

export const formatRate = (bytes: number) => `${formatBytes(Math.round(bytes))}/s`

export const formatMs = (ms: number) =>
  ms >= 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms)} ms`

/** The metrics that the page plots. */
export const metrics: readonly [Metric, ...Metric[]] = [
  {
    id: 'requests',
    label: 'Requests/s',
    lines: [{ label: 'Requests/s', of: ({ requests }) => requests }],
    format: formatCount,
  },
  {
    id: 'sessions',
    label: 'Sessions',
    lines: [{ label: 'Sessions', of: ({ sessions }) => sessions }],
    format: formatCount,
  },
  {
    id: 'bytes',
    label: 'Sent',
    lines: [
      { label: 'Sent', of: ({ bytesOut }) => bytesOut },
      { label: 'Received', of: ({ bytesIn }) => bytesIn },
    ],
    format: formatRate,
    isBinary: true,
  },
  {
    id: 'errors',
    label: 'Errors/s',
    lines: [
      { label: 'Errors/s', of: ({ errors }) => errors },
      { label: 'Responses 5xx/s', of: ({ failures }) => failures },
    ],
    format: formatCount,
  },
  {
    id: 'queue',
    label: 'Waiting',
    lines: [{ label: 'Requests waiting for a server', of: ({ queue }) => queue }],
    format: formatCount,
  },
  {
    id: 'response',
    label: 'Response time',
    lines: [{ label: 'Average of the last responses', of: ({ responseMs }) => responseMs }],
    format: formatMs,
  },
]
