import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingLibrary } from './native.ts'

test('a release without a library for terminals says so, and one with it is as good as x86-64', () => {
  assert.equal(missingLibrary('x64', false), undefined)
  assert.equal(missingLibrary('arm64', true), undefined)
  assert.equal(
    missingLibrary('arm64', false),
    'This release of the panel has no library for terminals on arm64',
  )
})
