import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run } from './run.ts'

/** Keeps the event loop from reading anything for this long, as a burst of requests does. */
const block = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('gives the exit code of a program that ended before a late event loop saw its time limit', async () => {
  const ended = run(['true'], { timeoutMs: 20 })
  block(300)
  assert.equal((await ended).code, 0)
})

test('gives the exit code of a program that ended and left another one holding its output', async () => {
  const { code } = await run(['sh', '-c', 'sleep 60 & exit 3'], { timeoutMs: 200 })
  assert.equal(code, 3)
})

test('ends a program at its time limit with 124, also while its event loop is late', async () => {
  assert.equal((await run(['sleep', '60'], { timeoutMs: 20 })).code, 124)
  const ended = run(['sleep', '60'], { timeoutMs: 20 })
  block(100)
  assert.equal((await ended).code, 124)
})

test('gives 127 only for a missing program', async () => {
  assert.equal((await run(['no-such-program-here'])).code, 127)
  assert.equal((await run(['/etc/passwd'])).code, 126)
})
