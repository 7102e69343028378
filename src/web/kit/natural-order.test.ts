import assert from 'node:assert/strict'
import { test } from 'node:test'
import { naturally } from './natural-order.ts'

test('orders numbers within names by their value, whatever the case', () => {
  const names = ['web10.example.com', 'Web2.example.com', 'api.example.com', 'web1.example.com']
  assert.deepEqual(names.toSorted(naturally), [
    'api.example.com',
    'web1.example.com',
    'Web2.example.com',
    'web10.example.com',
  ])
})
