import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { afterRetry, afterTry } from './courier.ts'

const now = new Date('2026-01-01T00:00:00Z')
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString()
const later = (code: number | null) => ({ outcome: 'later' as const, code, message: 'no' })

describe('a request that was sent in its turn', () => {
  it('is over once it succeeded, and has failed once it was refused', () => {
    const done = afterTry({ tries: 0 }, { outcome: 'success', code: 201, message: '' }, now)
    assert.deepEqual([done.status, done.is_over, done.response_code], ['success', 1, 201])
    const refused = afterTry({ tries: 0 }, { outcome: 'failed', code: 400, message: 'no' }, now)
    assert.deepEqual([refused.status, refused.is_over, refused.error_message], ['failed', 0, 'no'])
  })

  it('is put off ever longer, up to five minutes, while the server is not reached', () => {
    const waits = [0, 1, 2, 7, 8, 1000].map((tries) => afterTry({ tries }, later(null), now).next_try)
    assert.deepEqual(waits, [2, 4, 8, 256, 300, 300].map(at))
  })

  it('has failed after eight answers that the server cannot', () => {
    assert.equal(afterTry({ tries: 6 }, later(503), now).status, undefined)
    assert.equal(afterTry({ tries: 7 }, later(503), now).status, 'failed')
    assert.equal(afterTry({ tries: 7 }, later(401), now).status, undefined)
  })
})

describe('a request that somebody had sent again', () => {
  it('has failed wherever it did not succeed, and is over at the third time', () => {
    const counts = [0, 1, 2].map((retry_count) => afterRetry({ retry_count }, later(null), now))
    assert.deepEqual(
      counts.map(({ status, retry_count, is_over }) => [status, retry_count, is_over]),
      [
        ['failed', 1, 0],
        ['failed', 2, 0],
        ['failed', 3, 1],
      ],
    )
    const done = afterRetry({ retry_count: 0 }, { outcome: 'success', code: 200, message: '' }, now)
    assert.deepEqual([done.status, done.is_over], ['success', 1])
  })
})
