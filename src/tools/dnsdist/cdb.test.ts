import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cdbOf, hasKey, keysOf } from './cdb.ts'
import { nameOf, wireName } from './wire-name.ts'

const databaseOf = (names: readonly string[]) => cdbOf(names.map((name) => wireName(name)!))
const has = (file: Buffer, name: string) => hasKey(file, wireName(name)!)

test('a constant database returns its keys in their order, and finds each of them and no other', () => {
  const names = Array.from({ length: 3000 }, (_each, index) => `n${index}.d${index % 7}.test`)
  const file = databaseOf(names)
  assert.deepEqual(keysOf(file).map(nameOf), names)
  assert.deepEqual(
    names.filter((name) => !has(file, name)),
    [],
  )
  for (const name of ['test', 'n1.test', 'n3000.d4.test', 'xn1.d1.test', 'x.n1.d1.test'])
    assert.equal(has(file, name), false, name)
})

test('an empty constant database, and an empty file, contain no key', () => {
  const file = databaseOf([])
  assert.deepEqual([keysOf(file), keysOf(Buffer.alloc(0)), has(file, 'bad.test')], [[], [], false])
})
