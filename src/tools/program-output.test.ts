import assert from 'node:assert/strict'
import { it } from 'node:test'
import { unstarted } from '../host/run.ts'
import { outputOf } from './program-output.ts'

const chunks = 30

it('the output of a program waits for a slow reader, and leaves no listeners at the stream', async () => {
  let written = 0
  const output = outputOf(
    async ({ onOutput }) => {
      for (; written < chunks; written += 1) await onOutput(Buffer.alloc(2 * 1024 * 1024))
      return unstarted(0, '')
    },
    () => new Error('not used'),
    new AbortController().signal,
  )
  let [bytes, most] = [0, 0]
  for await (const chunk of output) {
    bytes += chunk.length
    most = Math.max(most, output.listenerCount('close'), output.listenerCount('error'))
  }
  assert.equal(bytes, chunks * 2 * 1024 * 1024)
  assert.ok(most < 10, `${most} listeners`)
})
