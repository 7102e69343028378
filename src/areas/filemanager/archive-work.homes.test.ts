import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { asOwner, type Bench, makeBench, skip } from '../../host/owner/testing/homes.ts'
import { lookUntil } from './steps/archives.ts'

describe('the plan of an extraction', { skip }, () => {
  let bench: Bench
  before(() => {
    bench = makeBench()
    asOwner(bench.alice, 'sh', '-c', 'echo 1 >a && tar -cf a.tar a')
  })
  after(() => bench.remove())
  const path = (text: string) => ({ field: 'path', path: text })

  it('lists the entries to be made, and gives up once its limit has passed', async () => {
    const owner = bench.owners.of(bench.alice)
    const look = (name: string, signal = new AbortController().signal) =>
      lookUntil(signal, owner, { archive: path(name), dest: path('new') })
    assert.equal((await look('a.tar'))?.files, 1)
    assert.equal(await look('a.tar', AbortSignal.abort()), undefined)
    await assert.rejects(look('absent'), {
      message: 'path: absent does not exist',
    })
  })
})
