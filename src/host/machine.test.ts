import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNames } from './machine.ts'

test('the names of a machine are its own and those beside it in /etc/hosts, in lower case', () => {
  const hosts =
    '127.0.0.1\tlocalhost\n# 10.0.0.1 old.example web1\n127.0.1.1 Web1.Example.com web1 # this one\n10.0.0.2 db1\n'
  assert.deepEqual(parseNames(hosts, 'Web1'), ['web1', 'web1.example.com'])
})

test('a machine named localhost has no name of its own', () => {
  assert.deepEqual(parseNames('127.0.0.1 localhost\n', 'localhost'), [])
})
