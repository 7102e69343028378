import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inMaintenance, isActive } from './maintenance.ts'
import { windows } from './store.ts'

const windowOf = (repeats: 'once' | 'daily' | 'weekly', monitor_id: number | null = null) =>
  windows.row({
    ...{ id: 1, title: 'x', starts_at: '2026-11-30T22:00:00.000Z', minutes: 120, repeats, monitor_id },
    created_at: '2026-11-01T00:00:00.000Z',
  })
const lasts = (repeats: 'once' | 'daily' | 'weekly', at: string) =>
  isActive(windowOf(repeats), new Date(`2026-${at}:00Z`))

describe('a maintenance window', () => {
  it('lasts from its beginning to before its end', () => {
    const found = ['11-30T21:59', '11-30T22:00', '11-30T23:59', '12-01T00:00'].map((at) => lasts('once', at))
    assert.deepEqual(found, [false, true, true, false])
  })

  it('begins anew each day, or each week', () => {
    const times = ['11-29T22:30', '12-01T22:30', '12-02T00:30', '12-07T23:30'] as const
    assert.deepEqual(
      times.map((at) => lasts('daily', at)),
      [false, true, false, true],
    )
    assert.deepEqual(
      times.map((at) => lasts('weekly', at)),
      [false, false, false, true],
    )
  })

  it('is of one monitor, or of all', () => {
    const now = new Date('2026-11-30T22:30:00Z')
    assert.deepEqual(inMaintenance([windowOf('once', 3)], now), new Set([3]))
    assert.equal(inMaintenance([windowOf('once', 3), windowOf('once')], now), 'all')
    assert.deepEqual(inMaintenance([windowOf('once')], new Date('2026-12-01T22:30:00Z')), new Set())
  })
})
