import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { asOwner, type Bench, makeBench, skip } from '../../host/owner/testing/homes.ts'
import { lookWithin } from './steps/archives.ts'

describe('the plan of an extraction', { skip }, () => {
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
    const look = (name: string, limitMs = 60_000) =>
      lookWithin(limitMs, owner, { archive: path(name), dest: path('new') })
    assert.equal((await look('a.tar'))?.files, 1)
    assert.equal(await look('large.tar.gz', 1), undefined)
    await assert.rejects(look('absent'), {
      message: 'path: absent does not exist',
    })
  })
})
