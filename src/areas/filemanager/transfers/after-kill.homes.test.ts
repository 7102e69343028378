import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { stepRun } from '../../../../test/support/step-run.ts'
import { skip } from '../../../host/owner/testing/homes.ts'
import type { Context } from '../context.ts'
import { type FilesBench, openFilesBench } from '../testing/files-bench.ts'

const text = (path: string) => ({ field: 'path', path })

describe('a transfer in progress when the panel was killed', { skip }, () => {
  let bench: FilesBench
  before(async () => {
    bench = await openFilesBench()
  })
  after(() => bench.remove())
  const steps = () => {
    const route = bench.panel.routes.find(({ path }) => path === '/api/filemanager/upload')
    assert.ok(route)
    return (route.context as unknown as Context).filemanager.steps
  }
  const run = stepRun(null)
  const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value))

  it('is recognized as started or not: an upload in parts', async () => {
    const { openUpload } = steps()
    const args = { username: 'alice', name: '1-abc', path: text('big'), sizeBytes: 10 }
    assert.equal(await openUpload.check(args, null), 'before')
    await openUpload.act(args, run)
    assert.equal(await openUpload.check(args, null), 'wanted')
    await openUpload.undo(args, null)
    assert.equal(await openUpload.check(args, null), 'before')
  })

  it('is recognized as done or not: a download', async () => {
    const { download, openUpload, write } = steps()
    const args = {
      username: 'alice',
      name: 'url-7',
      folder: text(''),
      url: 'http://example.com/a.txt',
      isAdmin: false,
    }
    await bench.post('write', { path: 'a.txt', content: 'taken' })
    const seen = stored(await download.observe(args))
    assert.deepEqual(seen?.file.path, 'a (1).txt')
    assert.equal(await download.check(args, seen), 'before')
    const parts = { username: 'alice', name: 'url-7', path: text('a (1).txt') }
    await openUpload.act({ ...parts, sizeBytes: 1 }, run)
    assert.equal(await download.check(args, seen), 'other') // some bytes were received
    await download.undo(args, seen)
    assert.equal(await download.check(args, seen), 'before')
    await write.act(
      { username: 'alice', path: text('a (1).txt') },
      stepRun({ etag: null }, Buffer.from('it took its name')),
    )
    assert.equal(await download.check(args, seen), 'wanted')
  })
})
