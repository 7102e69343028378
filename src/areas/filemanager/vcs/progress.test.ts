import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { percentOf, tellsProgress } from './progress.ts'

describe('what git says of its progress', () => {
  it('is a share of the whole', () => {
    assert.equal(percentOf('Receiving objects:  50% (5/10), 1.20 MiB | 2.00 MiB/s'), 40)
    assert.equal(percentOf('Resolving deltas: 100% (3/3), done.'), 92)
    assert.equal(percentOf('Writing objects:   0% (0/10)'), 20)
    assert.equal(percentOf('Updating files: 999% (9/1)'), 100)
  })

  it('counts on the other side, and without an end, in no percent', () => {
    assert.equal(percentOf('remote: Counting objects:  50% (5/10)'), null)
    assert.equal(percentOf('Enumerating objects: 12, done.'), null)
    assert.equal(percentOf('Filtering content:  10% (1/10)'), null)
  })

  it('is output where it counts nothing', async () => {
    const told: string[] = []
    const tell = tellsProgress({
      progress: async (percent, message) => void told.push(`${percent} ${message}`),
      output: async (line) => void told.push(line),
    })
    for (const line of [
      "Cloning into 'x'...",
      'Resolving deltas:   0% (0/3)',
      'From https://example.com/a: 5',
    ])
      tell(line)
    assert.deepEqual(told, [
      "Cloning into 'x'...",
      '80 Resolving deltas:   0% (0/3)',
      'From https://example.com/a: 5',
    ])
  })
})
