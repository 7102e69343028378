import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Recent } from './recent.ts'

describe('the latest output', () => {
  it('is the end of all that was printed, whatever the pieces', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20_000 }),
        fc.array(fc.uint8Array({ maxLength: 9000 }), { maxLength: 12 }),
        (limit, pieces) => {
          const recent = new Recent(limit)
          for (const piece of pieces) recent.append(Buffer.from(piece))
          assert.deepEqual(recent.read(), Buffer.from(Buffer.concat(pieces).subarray(-limit)))
        },
      ),
      { numRuns: 200 },
    )
  })
})
