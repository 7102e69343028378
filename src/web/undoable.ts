import type { Call } from './call.ts'

/** How long after a response a page may still say what was done. */
const recentMs = 2000

type Told = (id: number) => void

let latest: { readonly id: number } | undefined
let tell: Told = () => {}

/**
 * Remembers by which activity entry the change of a response can be undone; a change that cannot be undone
 * takes its place. If no page says what was done, the listener of `onUntold` does.
 */
export function rememberUndo({ method, query }: Call, answer: Pick<Response, 'headers'>): void {
  if (method === 'GET' || query?.['plan'] !== undefined) return
  const id = answer.headers.get('x-undo-id')
  const made = id === null ? undefined : { id: Number(id) }
  latest = made
  if (made) setTimeout(() => latest === made && tell(takeUndo() ?? made.id), recentMs)
}

/** Returns the activity entry by which the change that was just made can be undone; a second call returns none. */
export function takeUndo(): number | undefined {
  const found = latest
  latest = undefined
  return found?.id
}

/** Sets who reports an undoable change that no page has reported. */
export function onUntold(listener: Told): void {
  tell = listener
}
