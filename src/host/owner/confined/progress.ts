import type { ExtractNote } from './calls.ts'
import type { CallRun } from './session.ts'

/** Tells the panel every 200 ms how far a call is, until the function that it gives is called. */
export function noting(run: CallRun, note: () => ExtractNote): () => void {
  let last = ''
  // No note repeats the last: while nothing moves none is sent, so that a stuck call shows.
  const timer = setInterval(() => {
    const now = JSON.stringify(note())
    if (now !== last) run.note(note())
    last = now
  }, 200)
  return () => clearInterval(timer)
}

const beatMs = 1000

/** A sign of life for work that no note tells of: called as it goes on, it sends the note again once a second. */
export function beating(run: CallRun, note: () => ExtractNote): () => void {
  let sentAt = performance.now()
  return () => {
    if (performance.now() - sentAt < beatMs) return
    run.note(note())
    sentAt = performance.now()
  }
}
