import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dayOf, monthAfter, monthOf, titleOf, weeksOf } from './calendar.ts'

describe('the calendar of restore points', () => {
  it('has the days of a month in weeks from Monday on', () => {
    const november = weeksOf('2026-11')
    assert.equal(november.length, 6)
    assert.deepEqual(november[0], [...Array.from({ length: 6 }, () => undefined), '2026-11-01'])
    assert.deepEqual(november[1]?.[0], '2026-11-02')
    assert.deepEqual(november[5]?.slice(0, 2), ['2026-11-30', undefined])
    assert.deepEqual(
      weeksOf('2021-02').map((week) => week.length),
      [7, 7, 7, 7],
    )
    assert.equal(
      weeksOf('2028-02')
        .flat()
        .findLast((day) => day !== undefined),
      '2028-02-29',
    )
  })

  it('puts a time on the day of the time zone', () => {
    const time = '2026-11-29T23:30:00.000Z'
    assert.equal(dayOf(time, 'UTC'), '2026-11-29')
    assert.equal(dayOf(time, 'Europe/Berlin'), '2026-11-30')
    assert.equal(dayOf(time, 'America/New_York'), '2026-11-29')
  })

  it('turns to other months, also of another year', () => {
    assert.deepEqual(
      [-1, 1, 2, -11].map((months) => monthAfter('2026-11', months)),
      ['2026-10', '2026-12', '2027-01', '2025-12'],
    )
    assert.equal(monthOf('2026-11-29'), '2026-11')
  })

  it('names days and months', () =>
    assert.deepEqual([titleOf('2026-11-09'), titleOf('2026-11')], ['9 November 2026', 'November 2026']))
})
