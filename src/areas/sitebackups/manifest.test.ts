import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Manifest, surplusOf } from './manifest.ts'

/** The backup of a day of November, which continues that of another day. */
const point = (day: number, parent: number | null = null): Manifest => ({
  ...{ version: 1, name: `p${day}`, set: 'default', username: 'ada', domain: 'shop.test', user_id: 1 },
  ...{ time_mark: `2026-11-${String(day).padStart(2, '0')}T03:00:00.000Z`, chain: 'p', position: 0 },
  parent: parent === null ? null : `p${parent}`,
  ...{ encrypted: false, key_id: null, files: null, databases: [], complete: true, omitted: [] },
  ...{ omitted_count: 0, parts: [] },
})
const namesOf = (points: readonly Manifest[]) => points.map(({ name }) => name)

describe('the backups that a set does not keep', () => {
  const singles = [1, 2, 3, 4].map((day) => point(day))

  it('are those beyond the newest', () => {
    assert.deepEqual(namesOf(surplusOf(singles, { keep: 3 })), ['p1'])
    assert.deepEqual(surplusOf(singles, { keep: 4 }), [])
  })

  it('are those made before a time, but for the newest', () => {
    const since = (before: string) => namesOf(surplusOf(singles, { keep: 10, before }))
    assert.deepEqual(since('2026-11-03T00:00:00.000Z'), ['p1', 'p2'])
    assert.deepEqual(since('2026-11-03T03:00:00.000Z'), ['p1', 'p2'])
    assert.deepEqual(since('2026-12-24T00:00:00.000Z'), ['p1', 'p2', 'p3'])
    assert.deepEqual(since('2026-01-01T00:00:00.000Z'), [])
  })

  it('are none that a kept one continues', () => {
    const chained = [point(1), point(2, 1), point(3, 2), point(4), point(5, 4)]
    assert.deepEqual(namesOf(surplusOf(chained, { keep: 3 })), [])
    assert.deepEqual(namesOf(surplusOf(chained, { keep: 1 })), ['p1', 'p2', 'p3'])
    assert.deepEqual(namesOf(surplusOf(chained, { keep: 9, before: '2026-11-05T00:00:00.000Z' })), [
      'p1',
      'p2',
      'p3',
    ])
  })

  it('are none where there are none', () => assert.deepEqual(surplusOf([], { keep: 1 }), []))
})
