import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { mutations } from './mutations.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

test('every mutation still applies: its text occurs once in its file, and its tests exist', () => {
  for (const { title, file, from, to, tests } of mutations) {
    assert.equal(readFileSync(`${root}${file}`, 'utf8').split(from).length, 2, `${title}: ${file}`)
    assert.notEqual(from, to)
    for (const path of tests) assert.ok(existsSync(`${root}${path}`), path)
  }
})

test('there are at least 23 mutations, each with a title of its own', () => {
  assert.equal(new Set(mutations.map(({ title }) => title)).size, mutations.length)
  assert.ok(mutations.length >= 23)
})
