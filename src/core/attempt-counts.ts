import { ipv4Form } from './ipv4-form.ts'
import type { Visitor } from './caller.ts'

const mostKeys = 100_000

/** The number of attempts in the current window of a key. */
export interface AttemptCount {
  readonly count: number
  readonly endsInMs: number
}

/** Counts attempts by key, each in a window of time that begins with the first. */
export interface AttemptCounts {
  read(key: string, nowMs: number): AttemptCount
  /** Counts one, and returns the function that reverts it. */
  add(key: string, nowMs: number): () => void
}

interface Window {
  readonly startedAtMs: number
  count: number
}

/**
 * Opens counts in memory. Times come from a clock that never goes back; the oldest windows are dropped when
 * there are too many keys.
 */
export function openAttemptCounts(windowMs: number): AttemptCounts {
  const windows = new Map<string, Window>() // in order of their start
  const isCurrent = ({ startedAtMs }: Window, nowMs: number) => nowMs < startedAtMs + windowMs
  const current = (key: string, nowMs: number): Window | undefined => {
    const found = windows.get(key)
    return found && isCurrent(found, nowMs) ? found : undefined
  }
  const makeRoom = (nowMs: number) => {
    for (const [key, window] of windows) {
      if (windows.size < mostKeys && isCurrent(window, nowMs)) return
      windows.delete(key)
    }
  }
  return {
    read: (key, nowMs) => {
      const window = current(key, nowMs)
      return window
        ? { count: window.count, endsInMs: window.startedAtMs + windowMs - nowMs }
        : { count: 0, endsInMs: 0 }
    },
    add: (key, nowMs) => {
      const window = current(key, nowMs) ?? { startedAtMs: nowMs, count: 0 }
      if (window.count === 0) {
        windows.delete(key)
        makeRoom(nowMs)
        windows.set(key, window)
      }
      window.count += 1
      return () => void (window.count -= 1)
    },
  }
}

/**
 * Returns the network under which attempts from an address are counted: for IPv6 the /64, which is assigned
 * to one caller (RFC 6177).
 */
export function networkOf(address: string): string {
  const form = ipv4Form(address)
  if (!form.includes(':')) return form
  const [before, after] = (form.split('%')[0] as string).split('::').map(groupsOf)
  const zeros = after === undefined ? 0 : Math.max(0, 8 - before!.length - after.length)
  const groups = [...before!, ...Array<string>(zeros).fill('0'), ...(after ?? [])]
  return `${groups.slice(0, 4).join(':')}::/64`
}

/**
 * Returns what attempts of a visitor are counted under: the network, or the account of this host, as all accounts have one
 * address over loopback and none of them may use up the attempts of the others.
 */
export const sourceOf = ({ ip, localUid }: Pick<Visitor, 'ip' | 'localUid'>): string =>
  localUid === undefined ? networkOf(ip) : `uid ${localUid}`

const groupsOf = (text: string): readonly string[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16).toString(16))
