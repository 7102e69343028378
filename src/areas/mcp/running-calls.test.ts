import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { openRunningCalls } from './running-calls.ts'

test('a write that ends a key returns once its calls are cut off', async () => {
  let written: () => unknown = () => {}
  const { hold } = openRunningCalls(
    { onWritten: (_tables, listener) => void (written = listener) },
    async (keyId) => {
      await setImmediate()
      return keyId === 2
    },
  )
  const [ended, other] = [1, 2].map((keyId) => hold(keyId, new AbortController().signal))
  await written()
  assert.deepEqual([ended?.signal.aborted, other?.signal.aborted], [true, false])
})
