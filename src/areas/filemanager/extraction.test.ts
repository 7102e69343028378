import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Owner } from '../../host/owner/index.ts'
import { extractArchive } from './extraction.ts'
import type { HistoryRecorder } from './history/history-recorder.ts'

it('counts the replaced files that the history did not keep for lack of space or because of their number', async () => {
  const extract: Owner['archives']['extract'] = async (_archive, _dest, options) => {
    await options?.replacing?.keep(['a', 'b', 'c'], 4)
    return { entries: 9, bytes: 90, readBytes: 9, archiveBytes: 9 }
  }
  const owner = { archives: { extract } } as unknown as Owner
  const recorder: Pick<HistoryRecorder, 'replacingMany'> = {
    replacingMany: async (_asked, work) =>
      work(owner, { maxFileBytes: 10, keep: async (paths) => ({ notKept: paths.length - 1 }) }),
  }
  const extraction = {
    username: 'alice',
    by: 1,
    archive: { field: 'archive_path', path: 'a.zip' },
    dest: { field: 'dst_path', path: '' },
  }
  const done = await extractArchive(recorder as HistoryRecorder, extraction, {
    signal: new AbortController().signal,
  })
  assert.deepEqual(done, { files: 9, size_bytes: 90, replaced: 7, not_kept: 6 })
})
