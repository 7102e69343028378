import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sqliteLiteral } from './sqlite-literal.ts'

const pieces = ["'", "''", '"', '\\', "\\'", ';', '--', '/*', '\n', '%', '`', ' or 1=1', 'é', '😀', '?', ':a']

test('is read by SQLite as the same text, whatever it is made of', () => {
  const database = new DatabaseSync(':memory:')
  database.exec('create table kept (id integer)')
  for (const first of pieces)
    for (const second of pieces)
      for (const third of pieces) {
        const text = `${first}a${second}${third}`
        const row = database.prepare(`select ${sqliteLiteral(text)} as text`).get()
        assert.equal(row?.['text'], text)
      }
  assert.equal(database.prepare('select count(*) as n from kept').get()?.['n'], 0)
})

test('quotes names, and takes whole numbers and null', () => {
  assert.equal(sqliteLiteral({ identifier: 'a"; drop table b' }), '"a""; drop table b"')
  assert.deepEqual([sqliteLiteral(7), sqliteLiteral(null)], ['7', 'NULL'])
})

test('refuses what would end the text or is no number', () => {
  assert.throws(() => sqliteLiteral('a\0b'), /NUL/)
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1.5])
    assert.throws(() => sqliteLiteral(value), /whole number/)
})
