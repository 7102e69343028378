import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameOf, wireName } from './wire-name.ts'

test('encodes a name in lower case, without leading and final dots', () => {
  const wire = Buffer.from('\x03bad\x04test\0')
  for (const name of ['bad.test', 'BAD.test.', '..bad.test']) assert.deepEqual(wireName(name), wire)
  assert.equal(nameOf(wire), 'bad.test')
})

test('refuses empty labels, labels of 64 bytes and names of 256 bytes', () => {
  const label = 'a'.repeat(63)
  assert.notEqual(wireName(`${label}.test`), undefined)
  assert.notEqual(wireName(`${label}.${label}.${label}.${'a'.repeat(61)}`), undefined)
  for (const name of ['', 'a..b', `a${label}.test`, `${label}.${label}.${label}.${'a'.repeat(62)}`])
    assert.equal(wireName(name), undefined)
})
