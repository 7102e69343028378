import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clients, type Generated, patterns, reference, snapshots, stale } from './generated.ts'

test('the API reference is as the declarations make it (npm run reference)', () => {
  assert.deepEqual(stale(reference(), patterns.reference), [])
})

test('the snapshots are as the declarations make them (npm run snapshots); their difference is for reviewers', () => {
  assert.deepEqual(stale(snapshots(), patterns.snapshots), [])
})

test('the clients of the panel are as the declarations make them (npm run snapshots)', () => {
  assert.deepEqual(stale(clients(), patterns.clients), [])
})

test('a page that differs, one that is missing and one that is left over are all found', () => {
  const kept = reference()
  const changed: Generated = new Map([
    ...kept,
    ['docs/reference/README.md', 'other'],
    ['docs/reference/new.md', 'new'],
  ])
  assert.deepEqual(stale(changed, patterns.reference), ['docs/reference/README.md', 'docs/reference/new.md'])
  assert.deepEqual(stale(new Map([...kept].slice(1)), patterns.reference), [[...kept.keys()][0]])
})
