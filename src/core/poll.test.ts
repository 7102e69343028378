import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pause, poll } from './poll.ts'

describe('poll', () => {
  it('repeats the attempt until it returns a value', async () => {
    let attempts = 0
    const answer = await poll(async () => (++attempts === 3 ? false : undefined), {
      limitMs: 60_000,
      everyMs: 0,
    })
    assert.deepEqual([answer, attempts], [false, 3])
  })

  it('makes one attempt when the limit is zero', async () => {
    let attempts = 0
    assert.equal(await poll(async () => void attempts++, { limitMs: 0, everyMs: 60_000 }), undefined)
    assert.equal(attempts, 1)
  })

  it('returns undefined when the limit has passed', async () => {
    const startedAt = performance.now()
    assert.equal(await poll(async () => undefined, { limitMs: 20, everyMs: 1 }), undefined)
    assert.ok(performance.now() - startedAt >= 20)
  })

  it('computes the interval from the time since the first attempt', async () => {
    const elapsed: number[] = []
    await poll(async () => (elapsed.length === 2 ? true : undefined), {
      limitMs: 60_000,
      everyMs: (elapsedMs) => elapsed.push(elapsedMs),
    })
    assert.ok(elapsed.length === 2 && elapsed[0]! < elapsed[1]!, String(elapsed))
  })

  it('ends with its signal without waiting for the next attempt', async () => {
    const ending = new AbortController()
    let attempts = 0
    const attempt = async () => {
      attempts++
      ending.abort()
    }
    assert.equal(await poll(attempt, { limitMs: 60_000, everyMs: 60_000, signal: ending.signal }), undefined)
    assert.equal(attempts, 1)
    const pending = poll(async () => void attempts++, {
      limitMs: 60_000,
      everyMs: 60_000,
      signal: AbortSignal.timeout(5),
    })
    assert.equal(await pending, undefined)
    assert.equal(attempts, 2)
  })

  it('passes on what the attempt throws', async () => {
    const attempt = () => Promise.reject(new Error('broken'))
    await assert.rejects(poll(attempt, { limitMs: 60_000, everyMs: 0 }), /broken/)
  })
})

describe('pause', () => {
  it('resolves at once when its signal has ended', () => pause(60_000, AbortSignal.abort()))
})
