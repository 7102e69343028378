import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rateOf } from './rate.ts'

const at = (uptime_seconds: number, queries: number) => ({ uptime_seconds, queries })

test('computes a rate from two readings of one run', () => {
  assert.equal(rateOf(at(10, 100), at(15, 350), 'queries'), 50)
  assert.equal(rateOf(undefined, at(15, 350), 'queries'), undefined)
  assert.equal(rateOf(at(10, 100), at(10, 100), 'queries'), undefined)
  assert.equal(rateOf(at(90, 900), at(2, 3), 'queries'), undefined, 'after a restart')
})
