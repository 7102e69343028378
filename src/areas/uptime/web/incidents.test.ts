import assert from 'node:assert/strict'
import { test } from 'node:test'
import { incidentsOf, lengthOf } from './incidents.ts'

const at = (minute: number) => `2026-11-29T10:${String(minute).padStart(2, '0')}:00.000Z`
const row = (minute: number, event_type: string, error = '') => ({
  id: minute + 1,
  event_type,
  error,
  created_at: at(minute),
})

test('an incident lasts from the second failure to the next success, and the newest is the first', () => {
  const history = [
    row(0, 'up'),
    row(1, 'warning', 'refused'),
    row(2, 'down', 'refused'),
    row(3, 'alert', 'webhook: sent'),
    row(4, 'error', 'ping is missing'),
    row(10, 'up'),
    row(20, 'warning', 'refused'),
    row(21, 'down', 'no answer'),
    row(22, 'failover', 'www: 192.0.2.20'),
  ]
  assert.deepEqual(incidentsOf(history.toReversed()), [
    { id: 22, began: at(21), ended: undefined, reason: 'no answer' },
    { id: 3, began: at(2), ended: at(10), reason: 'refused' },
  ])
})

test('an incident ends with a success that has a warning, and a history may begin within one', () => {
  const history = [
    row(0, 'up'),
    row(1, 'down', 'refused'),
    row(5, 'warning', 'the certificate expires in 3 days'),
  ]
  assert.deepEqual(
    incidentsOf(history.toReversed()).map(({ ended }) => ended),
    [at(5)],
  )
  assert.deepEqual(incidentsOf([]), [])
})

test('a length is told in its two largest units', () => {
  const length = (seconds: number) => {
    const began = '2026-11-29T10:00:00.000Z'
    const ended = new Date(Date.parse(began) + seconds * 1000).toISOString()
    return lengthOf({ id: 1, began, ended, reason: '' }, 0)
  }
  assert.deepEqual([0, 42, 61, 3600, 90_061].map(length), [
    ...['under 1 s', '42 s', '1 min 1 s', '1 h 0 min', '1 d 1 h'],
  ])
  const open = { id: 1, began: '2026-11-29T10:00:00.000Z', ended: undefined, reason: '' }
  assert.equal(lengthOf(open, Date.parse('2026-11-29T10:02:00.000Z')), '2 min 0 s')
})
