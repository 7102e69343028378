import type { Account } from '../confinement.ts'
import { OwnerUnavailable } from '../problems.ts'

const mostAtOnce = 16
const mostPerOwner = 6
const waitMs = 20_000

const running = new Map<number, number>()
const waiting = new Set<() => void>()

/** Waits until git may run for an account; gives what is to be called when it has ended. */
export async function takeTurn({ uid, name }: Account, signal?: AbortSignal): Promise<() => void> {
  const until = performance.now() + waitMs
  while (isFull(uid)) {
    if (performance.now() >= until)
      throw OwnerUnavailable(`${name}: too many runs of git are under way; try again later`)
    await change(until, signal)
    signal?.throwIfAborted()
  }
  running.set(uid, (running.get(uid) ?? 0) + 1)
  return () => {
    const left = (running.get(uid) ?? 1) - 1
    if (left === 0) running.delete(uid)
    else running.set(uid, left)
    for (const wake of [...waiting]) wake()
  }
}

function isFull(uid: number): boolean {
  const all = [...running.values()].reduce((sum, count) => sum + count, 0)
  return all >= mostAtOnce || (running.get(uid) ?? 0) >= mostPerOwner
}

function change(until: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      waiting.delete(wake)
      signal?.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, Math.max(0, until - performance.now()))
    waiting.add(wake)
    signal?.addEventListener('abort', wake, { once: true })
  })
}
