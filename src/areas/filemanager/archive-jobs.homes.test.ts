import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { asOwner, type Bench, makeBench, skip } from '../../host/owner/testing/homes.ts'
import { previewExtract } from './archive-jobs.ts'

describe('the plan of an extract job', { skip }, () => {
  let bench: Bench
  before(() => {
    bench = makeBench()
    asOwner(
      bench.alice,
      'sh',
      '-c',
      'echo 1 >a && tar -cf a.tar a && truncate -s 60M large && tar -czf large.tar.gz large',
    )
  })
  after(() => bench.remove())
  const path = (text: string) => ({ field: 'path', path: text })

  it('lists the entries to be made, and does not wait for an archive that takes long to read', async () => {
    const owner = bench.owners.of(bench.alice)
    assert.deepEqual(await previewExtract(owner, path('a.tar'), path('new')), [
      'Makes 1 file and 0 folders; 2 bytes in all',
    ])
    assert.match(
      (await previewExtract(owner, path('large.tar.gz'), path('new'), 1)).join(),
      /^The archive is too large to be read for a plan/,
    )
    await assert.rejects(previewExtract(owner, path('absent'), path('new')), {
      message: 'path: absent does not exist',
    })
  })
})
