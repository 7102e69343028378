import { useSyncExternalStore } from 'react'

/** What becomes of an entry whose place is taken. */
export type Choice = 'overwrite' | 'both' | 'skip'

/** Two entries that want one place. */
export interface Clash {
  readonly label: string
  readonly folder: string
  readonly isFolder: boolean
  readonly there: { readonly type: string; readonly size_bytes: number; readonly modified_at: string }
  readonly comes?: { readonly size_bytes: number; readonly modified_at?: string }
}

export interface Answer {
  readonly choice: Choice
  readonly forAll: boolean
}

interface Asked {
  readonly clash: Clash
  readonly answer: (answer: Answer) => void
}

let waiting: readonly Asked[] = []
const listeners = new Set<() => void>()

/** The question that is open, for the dialog. */
export const useClash = (): Asked | undefined => useSyncExternalStore(subscribe, () => waiting[0])

/** Asks the reader once for each clash of one piece of work, or once for all of them. */
export function askOnce(): (clash: Clash) => Promise<Choice> {
  let forAll: Choice | undefined
  return async (clash) => {
    if (forAll !== undefined) return forAll
    const { choice, forAll: isForAll } = await new Promise<Answer>((answer) => put([...waiting, { clash, answer }]))
    if (isForAll) forAll = choice
    return choice
  }
}

/** Closes the open question. */
export function settleClash(answer: Answer): void {
  const [asked, ...rest] = waiting
  put(rest)
  asked?.answer(answer)
}

function put(next: readonly Asked[]): void {
  waiting = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
