import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFrame } from './frames.ts'

test('reads answers and events, and fills what is absent', () => {
  const event = readFrame('{"type":"event","event":"tick"}')
  assert.deepEqual([event?.event, event?.payload, event?.isOk], ['tick', {}, false])
  const answer = readFrame('{"type":"res","id":"1","ok":true,"payload":{"a":1}}')
  assert.deepEqual([answer?.id, answer?.isOk, answer?.payload], ['1', true, { a: 1 }])
})

test('refuses what is not of the protocol', () => {
  for (const text of ['', 'x', '[]', '7', 'null', '{"type":"req"}', '{"type":7}', '{'])
    assert.equal(readFrame(text), undefined)
})

test('takes values of other types for absent ones', () => {
  const frame = readFrame('{"type":"res","id":7,"ok":"yes","payload":[],"error":"x"}')
  assert.deepEqual([frame?.id, frame?.isOk, frame?.payload, frame?.error], ['', false, {}, {}])
})
