import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearest, roundAbove, unbroken } from './chart-scale.ts'

test('ends a scale at a round number', () => {
  assert.deepEqual(
    [0, 0.5, 1, 7, 42, 51, 999].map((value) => roundAbove(value)),
    [1, 0.5, 1, 8, 50, 60, 1000],
  )
  assert.deepEqual(
    [3, 1025].map((value) => roundAbove(value, 2)),
    [4, 2048],
  )
})

test('draws no line over what nobody saw', () => {
  const points = [0, 2, 4, 60, 62].map((at) => ({ at, value: at }))
  assert.deepEqual(
    unbroken(points, 10).map((part) => part.map(({ at }) => at)),
    [
      [0, 2, 4],
      [60, 62],
    ],
  )
  assert.deepEqual([nearest(points, 40)?.at, nearest([], 40)], [60, undefined])
})
