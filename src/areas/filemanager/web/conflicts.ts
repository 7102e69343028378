import { useSyncExternalStore } from 'react'

/** The resolution of a name conflict. */
export type Choice = 'overwrite' | 'both' | 'skip'

/** Two entries with the same destination. */
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
  /** The number of the operation that it belongs to. */
  readonly work: number
  readonly clash: Clash
  readonly answer: (answer: Answer) => void
}

let waiting: readonly Asked[] = []
let works = 0
const listeners = new Set<() => void>()

/** The open question, for the dialog. */
export const useClash = (): Asked | undefined => useSyncExternalStore(subscribe, () => waiting[0])

/** Returns true if one entry can replace the other or be merged into it. */
export const canOverwrite = ({ isFolder, there }: Clash): boolean => isFolder === (there.type === 'folder')

/** Asks the reader about each conflict of one operation, or once for all of them. */
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

/** Answers the open question and, if requested, all queued questions of the same operation. */
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
