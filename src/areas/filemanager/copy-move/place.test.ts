import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Problem } from '../../../core/problem.ts'
import { ownerProblems, type Owner } from '../../../host/owner/index.ts'
import type { HistoryRecorder } from '../history/history-recorder.ts'
import { place, type Transfer } from './place.ts'

const placed = {
  from: { field: 'src_path', path: 'a' },
  to: { field: 'dst_path', path: 'b' },
  overwrite: true,
}

/** An owner whose helper claims that a folder has more entries on each requested page. */
function copyMoveOf(signal: AbortSignal): { readonly transfer: Transfer; pages: number } {
  const seen = { pages: 0 }
  const items = Array.from({ length: 500 }, (_, n) => ({ name: `f${n}` }))
  const owner: Partial<Record<keyof Owner, unknown>> = {
    stat: async () => ({ type: 'folder' }),
    list: async () => {
      await turn()
      seen.pages++
      return { items, total: 2 ** 52 }
    },
  }
  const transfer: Partial<Transfer> = {
    owner: owner as unknown as Owner,
    recorder: {} as HistoryRecorder,
    verb: 'copy',
    username: 'alice',
    by: 1,
    signal,
  }
  return Object.assign(seen, { transfer: transfer as Transfer })
}

it('rejects a folder with endless entries, and stops reading it when the job is cancelled', async () => {
  const endless = copyMoveOf(new AbortController().signal)
  await assert.rejects(
    place(endless.transfer, placed),
    (error) => error instanceof Problem && error.kind === ownerProblems.TooLarge,
  )
  const cancelled = new AbortController()
  const stopped = copyMoveOf(cancelled.signal)
  const transfer = place(stopped.transfer, placed)
  setImmediate(() => cancelled.abort())
  await assert.rejects(transfer, { name: 'AbortError' })
  assert.ok(stopped.pages < endless.pages)
})
