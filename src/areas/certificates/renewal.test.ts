import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renewalOf, retryAfterMs, retryAt } from './renewal.ts'

const dayMs = 86_400_000
const now = new Date('2026-11-23T12:00:00Z')
const life = { notBefore: now, notAfter: new Date(now.getTime() + 90 * dayMs) }
const daysIn = (at: Date) => (at.getTime() - now.getTime()) / dayMs

describe('a renewal', () => {
  it('is due at two thirds of the lifetime, spread over a twentieth of it', () => {
    const days = Array.from({ length: 200 }, (_each, index) =>
      daysIn(renewalOf(life, undefined, String(index))),
    )
    assert.ok(days.every((day) => day >= 60 && day <= 64.5))
    assert.ok(Math.max(...days) - Math.min(...days) > 4)
    assert.equal(daysIn(renewalOf(life, undefined, '7')), days[7])
  })

  it('is due within the window that the authority suggests', () => {
    const window = { start: new Date(now.getTime() + dayMs), end: new Date(now.getTime() + 2 * dayMs) }
    for (const site of ['1', '2', '3']) {
      const day = daysIn(renewalOf(life, window, site))
      assert.ok(day >= 1 && day <= 2)
    }
  })

  it('is due before the end of the lifetime, whatever the authority suggests', () => {
    const window = { start: life.notAfter, end: new Date(life.notAfter.getTime() + dayMs) }
    assert.equal(daysIn(renewalOf(life, window, '1')), 75)
  })

  it('is tried again later and later, and never sooner than the authority asks', () => {
    const after = (count: number, asked?: number) =>
      (retryAt({ now, count, retryAfterMs: asked, lifetimeMs: 90 * dayMs }).getTime() - now.getTime()) /
      3_600_000
    assert.deepEqual(
      [1, 2, 3, 9].map((count) => after(count)),
      [1, 2, 4, 24],
    )
    assert.equal(after(1, 3 * dayMs), 72)
    assert.equal(after(1, 1000), 1)
    assert.deepEqual(
      ['120', 'Mon, 23 Nov 2026 12:02:00 GMT', 'soon', undefined].map((each) => retryAfterMs(each, now)),
      [120_000, 120_000, undefined, undefined],
    )
  })
})
