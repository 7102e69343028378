import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Generated, reference, snapshots, stale } from './generated.ts'

test('the API reference is as the declarations make it (npm run reference)', () => {
  assert.deepEqual(stale(reference(), 'docs/reference'), [])
})

test('the snapshots are as the declarations make them (npm run snapshots); their difference is for reviewers', () => {
  assert.deepEqual(stale(snapshots(), 'test/snapshots'), [])
})

test('a page that differs, one that is missing and one that is left over are all found', () => {
  const kept = reference()
  const changed: Generated = new Map([
    ...kept,
    ['docs/reference/README.md', 'other'],
    ['docs/reference/new.md', 'new'],
  ])
  assert.deepEqual(stale(changed, 'docs/reference'), ['docs/reference/README.md', 'docs/reference/new.md'])
  assert.deepEqual(stale(new Map([...kept].slice(1)), 'docs/reference'), [[...kept.keys()][0]])
})
