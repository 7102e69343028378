import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lagOf, openLagHistory } from './lag.ts'

const now = Date.parse('2026-01-10T12:00:00.000Z')
const ago = (seconds: number) => now - seconds * 1000

describe('the lag of a replica', () => {
  for (const [what, beatAt, ofServer, seconds, source] of [
    ['no heartbeat: what the server says', undefined, 7, 7, 'server'],
    ['neither a heartbeat nor an answer of the server', undefined, null, null, null],
    ['the newest heartbeat, before the next one is due', ago(0.9), 0, 0, 'heartbeat'],
    ['a heartbeat of a clock that is ahead', ago(-30), 0, 0, 'heartbeat'],
    ['a link that is dead, which the server has not noticed', ago(61), 0, 60, 'heartbeat'],
    ['a replica that is stopped', ago(3601), null, 3600, 'heartbeat'],
    ['changes that are applied late', ago(3601), 3598, 3600, 'heartbeat'],
    ['a primary whose panel writes none any more', ago(500), 0, 0, 'server'],
    ['the same, while a change is applied late', ago(5000), 30, 30, 'server'],
  ] as const)
    test(`is right with ${what}`, () => {
      assert.deepEqual(lagOf(beatAt, ofServer, now), { seconds, source })
    })

  test('is kept for an hour, and none of a time to come', () => {
    const history = openLagHistory()
    const at = (seconds: number) => new Date(ago(seconds)).toISOString()
    for (const [seconds, age] of [
      [1, 4000],
      [2, 3000],
      [3, 0],
    ] as const)
      history.add({ at: at(age), seconds })
    assert.deepEqual(
      history.list(new Date(now)).map(({ seconds }) => seconds),
      [2, 3],
    )
    assert.deepEqual(history.list(new Date(ago(2000))), [{ at: at(3000), seconds: 2 }])
    history.clear()
    assert.deepEqual(history.list(new Date(now)), [])
  })
})
