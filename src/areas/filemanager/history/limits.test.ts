import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HistoryLimits } from './limits.ts'
import { firstBeyond } from './version-quota.ts'

const limits: HistoryLimits = { quotaBytes: 60_000, maxAgeDays: 30, maxFileBytes: 20_000, maxVersions: 6 }

describe('the limits of the history', () => {
  it('count from the newest version, and each content once', () => {
    const row = (id: number, sha256: string | null, stored_bytes: number) => ({
      id,
      sha256,
      stored_bytes,
      replaced_at: '',
    })
    const rows = [
      row(9, 'a', 30),
      row(8, 'b', 30),
      row(7, 'a', 30),
      row(6, null, 0),
      row(5, 'c', 41),
      row(4, 'b', 30),
    ]
    assert.equal(firstBeyond(rows, { ...limits, quotaBytes: 101 }), undefined)
    assert.equal(firstBeyond(rows, { ...limits, quotaBytes: 100 })?.id, 5)
    assert.equal(firstBeyond(rows, { ...limits, quotaBytes: 0 })?.id, 9)
    assert.equal(firstBeyond(rows, { ...limits, quotaBytes: 1000, maxVersions: 2 })?.id, 7)
  })
})
