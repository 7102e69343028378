import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Owner } from '../../host/owner/index.ts'
import { extractArchive } from './extraction.ts'
import type { HistoryRecorder } from './history/history-recorder.ts'

it('tells of the files that an archive replaces how many the history has nothing of, for want of room or as they were too many', async () => {
  const extract: Owner['archives']['extract'] = async (_archive, _dest, options) => {
    await options?.replacing?.keep(['a', 'b', 'c'], 4)
    return { entries: 9, bytes: 90, readBytes: 9, archiveBytes: 9 }
  }
  const owner = { archives: { extract } } as unknown as Owner
  const past: Pick<HistoryRecorder, 'replacingMany'> = {
    replacingMany: async (_asked, work) =>
      work(owner, { maxFileBytes: 10, keep: async (paths) => ({ notKept: paths.length - 1 }) }),
  }
  const asked = {
    username: 'alice',
    by: 1,
    archive: { field: 'archive_path', path: 'a.zip' },
    dest: { field: 'dst_path', path: '' },
  }
  const done = await extractArchive(past as HistoryRecorder, asked, { signal: AbortSignal.timeout(1000) })
  assert.deepEqual(done, { files: 9, size_bytes: 90, replaced: 7, not_kept: 6 })
})
