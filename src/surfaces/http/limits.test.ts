import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RateLimited } from '../../core/problem.ts'
import { attemptLimit } from './limits.ts'

describe('a limit of attempts', () => {
  it('says after how many seconds the next attempt is taken, and takes it then', () => {
    let now = 0
    const limit = attemptLimit(2, () => now)
    for (now of [0, 1000]) limit.count('192.0.2.1')
    now = 20_500
    assert.throws(
      () => limit.count('192.0.2.1'),
      (error: { kind: unknown; headers: object }) =>
        error.kind === RateLimited && 'retry-after' in error.headers && error.headers['retry-after'] === '40',
    )
    limit.count('192.0.2.2')
    now = 60_000
    limit.count('192.0.2.1')
  })
})
