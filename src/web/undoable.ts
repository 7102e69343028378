/** How long after its response a change counts as the one that a notice is about. */
const recentMs = 2000

let latest: { readonly id: number; readonly at: number } | undefined

/** Remembers by which activity entry the change of a response can be undone; a change that cannot be takes its place. */
export function rememberUndo(method: string, answer: Response): void {
  if (method === 'GET') return
  const id = answer.headers.get('x-undo-id')
  latest = id === null ? undefined : { id: Number(id), at: performance.now() }
}

/** Returns the activity entry by which the change that was just made can be undone; a second call returns none. */
export function takeUndo(): number | undefined {
  const found = latest
  latest = undefined
  return found && performance.now() - found.at < recentMs ? found.id : undefined
}
