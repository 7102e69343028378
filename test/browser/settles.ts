import assert from 'node:assert/strict'
import { until } from '../support/until.ts'

/**
 * Asserts that a value of the page becomes the expected one: a state that is read once after an action may be that of the frame
 * before. Fails with both values after the hang limit.
 */
export async function settles<Value>(
  read: () => Promise<Value>,
  expected: Value,
  message = 'the page shows',
): Promise<void> {
  let last: Value | undefined
  const isThere = async () => Object.is((last = await read()), expected)
  await until(isThere, { everyMs: 20 }).catch(() =>
    assert.equal(last, expected, `${message}: ${String(last)} instead of ${String(expected)}`),
  )
}
