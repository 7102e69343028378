import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/support/until.ts'
import { repeat } from './repeat.ts'

test('goes on after a failure, never overlaps, and ends its run when it is stopped', async () => {
  const failures: unknown[] = []
  let [runs, running, most] = [0, 0, 0]
  const repeated = repeat({
    everyMs: 1,
    isAtOnce: true,
    work: async (signal) => {
      most = Math.max(most, ++running)
      try {
        if (++runs === 1) throw new Error('first')
        if (runs === 3)
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      } finally {
        running--
      }
    },
    failed: (error) => failures.push(error),
  })
  assert.equal(runs, 1, 'at once')
  await until(async () => runs === 3 || undefined)
  await repeated.stop()
  assert.deepEqual([runs, running, most], [3, 0, 1])
  assert.deepEqual(failures.map(String), ['Error: first'], 'what a stop ends is no failure')
})
