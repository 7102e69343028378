import type { alertTypes } from '../model.ts'
import type { Alert } from '../parts.ts'

type Event = (typeof alertTypes)[number]

const mostNamed = 40

/** Monitors that went down, or up again, together. */
export interface Outbreak {
  readonly event: Event
  readonly group: readonly Alert[]
}

const phrases: Readonly<Record<Event, { readonly one: string; readonly many: string }>> = {
  down: { one: 'is down', many: 'are down' },
  up: { one: 'is up again', many: 'are up again' },
  unstable: { one: 'goes down and up again and again', many: 'go down and up again and again' },
}

/** What happened to a group in a few phrases. */
export function headlineOf({ event, group }: Outbreak): string {
  const [first] = group
  return first !== undefined && group.length === 1
    ? `${first.name} ${phrases[event].one}`
    : `${group.length} monitors ${phrases[event].many}`
}

/** One line for each monitor of a group, up to a number of them. */
export function linesOf({ event, group }: Outbreak, most = mostNamed): string {
  const lines = group
    .slice(0, most)
    .map(
      ({ name, target, error }) =>
        `${name} (${target})${event === 'down' && error !== '' ? `: ${error}` : ''}`,
    )
  const left = group.length - lines.length
  return [...lines, ...(left > 0 ? [`and ${left} more`] : [])].join('\n')
}
