import type { ExtractNote } from './calls.ts'
import type { CallRun } from './session.ts'

/** Reports the progress of a call to the panel every 200 ms until the returned function is called. */
export function noting(run: CallRun, note: () => ExtractNote): () => void {
  let last = ''
  // No note repeats the last one: without progress none is sent, so that a stuck call is noticed.
  const timer = setInterval(() => {
    const now = JSON.stringify(note())
    if (now !== last) run.note(note())
    last = now
  }, 200)
  return () => clearInterval(timer)
}

const beatMs = 1000

/** Sign of life for work that notes do not show: each call on progress sends the note again, at most once a second. */
export function beating(run: CallRun, note: () => ExtractNote): () => void {
  let sentAt = performance.now()
  return () => {
    if (performance.now() - sentAt < beatMs) return
    run.note(note())
    sentAt = performance.now()
  }
}
