import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BsonDocument, decodeBson, encodeBson } from './bson.ts'

const sample: BsonDocument = {
  text: 'O\u0000é 😀',
  count: -7,
  large: 2 ** 40,
  half: 0.5,
  yes: true,
  none: null,
  bytes: Buffer.of(0, 255),
  list: ['a', { b: 1 }, []],
  deep: { empty: {} },
}

test('reads what it wrote', () => {
  assert.deepEqual(decodeBson(encodeBson(sample)), sample)
})

test('writes the example of bsonspec.org', () => {
  const bytes = '160000000268656c6c6f0006000000776f726c640000'
  assert.equal(encodeBson({ hello: 'world' }).toString('hex'), bytes)
})

test('reads the further types of a server as text or numbers', () => {
  const element = (type: string, content: string) => `${type}6100${content}`
  const cases = [
    [element('07', '0123456789abcdef01234567'), '0123456789abcdef01234567'],
    [element('09', 'e803000000000000'), 1000],
    [element('12', 'ffffffffffffffff'), -1],
    [element('0b', '5e78006900'), '/^x/i'],
    [element('ff', ''), null],
  ] as const
  for (const [hex, expected] of cases) {
    const size = Buffer.alloc(4)
    size.writeInt32LE(5 + hex.length / 2)
    const document = Buffer.concat([size, Buffer.from(hex, 'hex'), Buffer.of(0)])
    assert.deepEqual(decodeBson(document), { a: expected })
  }
})

test('refuses a document that is cut off anywhere, or states another size', () => {
  const whole = encodeBson(sample)
  for (let length = 0; length < whole.length; length += 1)
    assert.throws(() => decodeBson(whole.subarray(0, length)), RangeError, String(length))
  const longer = Buffer.concat([whole, Buffer.of(0)])
  assert.throws(() => decodeBson(longer), RangeError)
  whole.writeInt32LE(whole.length - 1)
  assert.throws(() => decodeBson(whole), RangeError)
})

test('refuses nesting without an end, and names that would end early', () => {
  let nested: BsonDocument = {}
  for (let depth = 0; depth < 200; depth += 1) nested = { a: nested }
  assert.throws(() => decodeBson(encodeBson(nested)), /nested too deeply/)
  assert.throws(() => encodeBson({ 'a\u0000b': 1 }), /no zero byte/)
})
