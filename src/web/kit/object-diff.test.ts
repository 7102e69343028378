import assert from 'node:assert/strict'
import { test } from 'node:test'
import { objectDiff } from './object-diff.ts'

test('shows a thing before and after, and one side of what is made or removed', () => {
  assert.equal(
    objectDiff('A 192.0.2.1\nA 192.0.2.2', 'A 192.0.2.3'),
    '-A 192.0.2.1\n-A 192.0.2.2\n+A 192.0.2.3',
  )
  assert.equal(objectDiff(null, 'utf8mb4'), '+utf8mb4')
  assert.equal(objectDiff('utf8mb4', null), '-utf8mb4')
  assert.equal(objectDiff('utf8mb4', 'utf8mb4'), ' utf8mb4')
})
