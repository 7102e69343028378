import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainsOfFile, listNameOf } from './domains-of-file.ts'

test('reads plain lists, hosts files and filters of browsers', () => {
  const text =
    '# ads\nads.test\r\n0.0.0.0 track.test # one\n127.0.0.1\tlocalhost\n0.0.0.0 0.0.0.0\n||x.test^\n! y\n\nads.test\n'
  assert.equal(domainsOfFile(text), 'ads.test\ntrack.test\nx.test')
  assert.equal(domainsOfFile(''), '')
})

test('names a list after its file, within what names may contain', () => {
  assert.equal(listNameOf('My-Blocklist 2026.txt'), 'myblocklis')
  assert.equal(listNameOf('123.txt'), '')
})
