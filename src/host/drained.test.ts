import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { drained } from './drained.ts'

const full = () => {
  const stream = new PassThrough({ highWaterMark: 1 })
  stream.on('error', () => {})
  assert.equal(stream.write('more than it holds'), false)
  return stream
}
const listeners = (stream: PassThrough) =>
  ['drain', 'close', 'error'].map((event) => stream.listenerCount(event))

test('waits for a reader, and leaves no listener at the stream', async () => {
  const stream = full()
  const before = listeners(stream)
  const waiting = drained(stream)
  assert.notDeepEqual(listeners(stream), before)
  assert.equal(String(stream.read()), 'more than it holds')
  await waiting
  assert.deepEqual(listeners(stream), before)
})

test('ends with a stream that is closed, fails or needs no reader', async () => {
  const closed = full()
  const closing = drained(closed)
  closed.destroy()
  await closing
  await drained(closed)
  const failing = full()
  const failed = drained(failing)
  failing.destroy(new Error('no space left'))
  await failed
  await drained(new PassThrough())
})
