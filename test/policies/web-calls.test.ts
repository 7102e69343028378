import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { root } from './sources.ts'

const isGenerated = (path: string): boolean => /^src\/areas\/[^/]+\/web\/api\.ts$/.test(path)

/** Requests that a source of the web panel spells out: a path below /api except the page of its reference, or a method. */
const handWritten = (text: string): readonly string[] => [
  ...[...text.matchAll(/['"`]\/api\/(?!docs['"`])[^'"`]*/g)].map(([found]) => found),
  ...[...text.matchAll(/\bmethod: ['"`][A-Z]+['"`]/g)].map(([found]) => found),
]

test('the web panel calls the API through the clients of the areas alone', () => {
  const sources = globSync(['src/web/**/*.{ts,tsx}', 'src/areas/*/web/**/*.{ts,tsx}'], { cwd: root })
  assert.ok(sources.length > 100, `only ${sources.length} sources`)
  const found = sources
    .filter((path) => !isGenerated(path) && !path.endsWith('.test.ts'))
    .flatMap((path) =>
      handWritten(readFileSync(`${root}${path}`, 'utf8')).map((finding) => `${path}: ${finding}`),
    )
  assert.deepEqual(found, [])
})

test('a path of the API and a method in a source are both found, but not a link to the reference', () => {
  assert.deepEqual(handWritten('<a href="/api/docs">'), [])
  assert.deepEqual(handWritten("fetch('/api/auth/refresh')"), ["'/api/auth/refresh"])
  assert.deepEqual(handWritten("run({ method: 'GET', path: '/jobs' })"), ["method: 'GET'"])
})
