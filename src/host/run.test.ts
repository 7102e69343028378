import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { awaitEnd, run } from './run.ts'

/** Keeps the event loop from reading anything for this long, as a burst of requests does. */
const block = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** Blocks until the kernel has ended a child, which the event loop has not seen yet. */
function blockUntilEnded(pid: number | undefined): void {
  while (!/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) block(5)
}

test('returns the exit code of a program that ended before a late event loop noticed its timeout', async () => {
  const child = spawn('true', { stdio: 'ignore', detached: true })
  const ended = awaitEnd(() => child, { timeoutMs: 20 })
  blockUntilEnded(child.pid)
  block(30)
  assert.equal((await ended).code, 0)
})

test('returns the exit code of a program whose child keeps its output open', async () => {
  const { code } = await run(['sh', '-c', 'sleep 60 & exit 3'], { timeoutMs: 200 })
  assert.equal(code, 3)
})

test('kills a program at its timeout with 124, also when the event loop is late', async () => {
  assert.equal((await run(['sleep', '60'], { timeoutMs: 20 })).code, 124)
  const ended = run(['sleep', '60'], { timeoutMs: 20 })
  block(100)
  assert.equal((await ended).code, 124)
})

test('returns 127 only for a missing program', async () => {
  assert.equal((await run(['no-such-program-here'])).code, 127)
  assert.equal((await run(['/etc/passwd'])).code, 126)
})

test('abandons a stopped program of which a part goes on', async () => {
  const script = 'setsid sh -c "echo \\$\\$; exec sleep 60" & sleep 60'
  const child = spawn('sh', ['-c', script], { detached: true })
  await once(child.stdout, 'readable') // its part has begun; nothing is read yet
  const { code, stdout, isCut } = await awaitEnd(() => child, { timeoutMs: 200, graceMs: 0, abandonMs: 50 })
  assert.deepEqual([code, isCut], [124, true])
  const pid = Number(stdout)
  assert.ok(pid > 1, stdout) // 0 would be this process group
  process.kill(pid, 'SIGKILL')
})
