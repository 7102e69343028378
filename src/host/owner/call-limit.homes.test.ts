import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { makeBench, skip } from './testing/homes.ts'

describe('many concurrent calls', { skip }, () => {
  it('all complete if each waits for another one', async () => {
    const bench = makeBench({ maxCalls: 4, waitMs: 3000 })
    const owner = bench.owners.of(bench.alice)
    const write = (n: number) =>
      owner.write(`f${n}`, Buffer.from('new'), {
        beforeTransfer: async () => void (await owner.nested.stat('')),
      })
    const written = await Promise.all(Array.from({ length: 12 }, (_, n) => write(n)))
    assert.equal(written.length, 12)
    await bench.remove()
  })

  it('all complete with a slot for only one helper', async () => {
    const bench = makeBench({ maxHelpers: 1, waitMs: 5000 })
    for (const account of [bench.alice, bench.bob]) writeFileSync(join(account.home, 'x'), '')
    await bench.owners.of(bench.alice).stat('x')
    for (let round = 0; round < 2; round++) {
      const both = [bench.alice, bench.bob].map((account) => bench.owners.of(account).stat('x'))
      const ended = await Promise.allSettled(both)
      assert.ok(ended.some(({ status }) => status === 'fulfilled'))
    }
    await bench.remove()
  })

  it('keep the folder of unfinished uploads that another one would remove', async () => {
    const bench = makeBench()
    const owner = bench.owners.of(bench.alice)
    const uploading = async (lane: number) => {
      for (let n = 0; n < 30; n++) {
        const upload = owner.uploads.of(`${lane}-${n}`, `f${lane}`)
        await upload.open(3)
        await upload.cut()
      }
    }
    await Promise.all([1, 2, 3, 4].map(uploading))
    await bench.remove()
  })
})
