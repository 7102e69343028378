import { setMaxListeners } from 'node:events'
import type { Caller } from '../../core/caller.ts'
import { Unauthorized } from '../../core/problem.ts'
import type { Store } from '../../store/store.ts'

/** Signals that end with the session, the API key or the user on which a long response depends (decision 2.5). */
export interface Lifetimes {
  /** The signal of a caller's credential, shared by all that hold it. Release it when the response is over. */
  hold(caller: Caller): Lifetime
}

/** One credential's signal, as one holder has it. */
export interface Lifetime {
  readonly signal: AbortSignal
  release(): void
}

interface Held {
  readonly caller: Caller
  readonly abort: AbortController
  holders: number
  /** Ends it at the end of its key. */
  timer?: NodeJS.Timeout
}

/**
 * Opens the signals. `validUntil` tells from the store until when a caller's credential is valid with the rights it had,
 * in milliseconds since 1970.
 */
export function openLifetimes(store: Store, validUntil: (caller: Caller) => Promise<number>): Lifetimes {
  const held = new Map<string, Held>()
  const end = (key: string, credential: Held, reason: unknown) => {
    if (held.get(key) === credential) held.delete(key)
    clearTimeout(credential.timer)
    credential.abort.abort(reason)
  }
  /** A credential that cannot be checked ends too: what it was used for must not outlive it. */
  const review = (key: string, credential: Held): Promise<void> =>
    validUntil(credential.caller).then(
      (untilMs) => {
        const leftMs = untilMs - Date.now()
        if (leftMs <= 0) return end(key, credential, ended())
        clearTimeout(credential.timer)
        if (leftMs < Infinity && held.get(key) === credential)
          credential.timer = setTimeout(
            () => void review(key, credential),
            Math.min(leftMs, longestTimerMs),
          ).unref()
      },
      (error) => end(key, credential, error),
    )
  const reviewAll = shared(async () => {
    for (const [key, credential] of [...held]) await review(key, credential)
  })
  const begin = (key: string, caller: Caller): Held => {
    const credential = { caller, abort: new AbortController(), holders: 0 }
    setMaxListeners(0, credential.abort.signal) // one for each response of this credential
    held.set(key, credential)
    void review(key, credential) // it may have ended since the request was admitted
    return credential
  }
  store.onWritten(['users', 'user_permissions', 'sessions', 'api_keys'], reviewAll)
  return {
    hold: (caller) => {
      const key = `${caller.user.id} ${caller.sessionId} ${caller.keyId}`
      const credential = held.get(key) ?? begin(key, caller)
      credential.holders += 1
      const release = () => {
        credential.holders -= 1
        if (credential.holders > 0 || held.get(key) !== credential) return
        held.delete(key)
        clearTimeout(credential.timer)
      }
      return { signal: credential.abort.signal, release }
    },
  }
}

/** A timer of Node overflows after 24 days; the credential is then looked at again. */
const longestTimerMs = 2 ** 31 - 1

const ended = () => Unauthorized('Your session or API key has ended')

/** Runs one at a time; calls during a run are answered by a single further one, and return when that is over. */
function shared(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let isAskedAgain = false
  const run = async () => {
    try {
      do {
        isAskedAgain = false
        await work()
      } while (isAskedAgain)
    } finally {
      running = undefined
    }
  }
  return () => {
    if (running === undefined) running = run()
    else isAskedAgain = true
    return running
  }
}
