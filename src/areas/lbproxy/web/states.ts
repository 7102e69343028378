import type { ServerState } from './queries.ts'

/** The state of a part, which decides its color; the names are HAProxy's. */
export type Tone = 'good' | 'changing' | 'bad' | 'out' | 'plain'

/** Reads the status of `show stat`: UP, UP 1/3, DOWN, NOLB, MAINT, DRAIN, no check, OPEN … */
export function toneOf(status: string): Tone {
  if (/^(?:UP|DOWN) \d|^NOLB|^STOPPING/.test(status)) return 'changing'
  if (/^(?:UP|OPEN)/.test(status)) return 'good'
  if (/^(?:DOWN|FULL|STOP)/.test(status)) return 'bad'
  return /^(?:MAINT|DRAIN)/.test(status) ? 'out' : 'plain'
}

/** Returns the label of a status. */
export function wordOf(status: string): string {
  const known: Readonly<Record<string, string>> = {
    UP: 'Up',
    DOWN: 'Down',
    DRAIN: 'Draining',
    MAINT: 'Maintenance',
    OPEN: 'Open',
    'no check': 'Not checked',
  }
  return known[status] ?? status
}

/** Returns the administrative state, or ready. */
export function stateOf(status: string): ServerState {
  if (status.startsWith('MAINT')) return 'maint'
  return status.startsWith('DRAIN') ? 'drain' : 'ready'
}

const urgency: Readonly<Record<Tone, number>> = { bad: 0, changing: 1, out: 2, plain: 3, good: 3 }

/** Sorts servers with problems first, for lists that do not show all. */
export function worstFirst<Server extends { readonly name: string; readonly status: string }>(
  servers: readonly Server[],
  statusOf: (name: string) => string | undefined,
): readonly Server[] {
  const rank = ({ name, status }: Server) => urgency[toneOf(statusOf(name) ?? status)]
  return servers.toSorted((one, other) => rank(one) - rank(other))
}
