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
  /** The piece of work that it belongs to: each has a number of its own. */
  readonly work: number
  readonly clash: Clash
  readonly answer: (answer: Answer) => void
}

let waiting: readonly Asked[] = []
let works = 0
const listeners = new Set<() => void>()

/** The question that is open, for the dialog. */
export const useClash = (): Asked | undefined => useSyncExternalStore(subscribe, () => waiting[0])

/** Whether one of the two can take the place of the other, or be joined with it. */
export const canOverwrite = ({ isFolder, there }: Clash): boolean => isFolder === (there.type === 'folder')

/** Asks the reader once for each clash of one piece of work, or once for all of them. */
export function askOnce(): (clash: Clash) => Promise<Choice> {
  const work = ++works
  let forAll: Choice | undefined
  return async (clash) => {
    if (forAll !== undefined && fits(forAll, clash)) return forAll
    return new Promise<Choice>((choose) => {
      const answer = ({ choice, forAll: isForAll }: Answer) => {
        if (isForAll) forAll = choice
        choose(choice)
      }
      put([...waiting, { work, clash, answer }])
    })
  }
}

/** Closes the open question, and with an answer for all those of the same work that wait behind it. */
export function settleClash(answer: Answer): void {
  const [asked] = waiting
  if (asked === undefined) return
  const isAnswered = (each: Asked) =>
    each === asked || (answer.forAll && each.work === asked.work && fits(answer.choice, each.clash))
  const answered = waiting.filter(isAnswered)
  put(waiting.filter((each) => !isAnswered(each)))
  for (const each of answered) each.answer(answer)
}

const fits = (choice: Choice, clash: Clash): boolean => choice !== 'overwrite' || canOverwrite(clash)

function put(next: readonly Asked[]): void {
  waiting = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
