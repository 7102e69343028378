import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingTypes } from './media-types.ts'

test('adds the types that a list lacks, and repeats none', () => {
  const list =
    'types {\n    text/html html htm; # mjs\n    image/webp\n        webp;\n    font/woff2 woff2;\n}\n'
  const added = new Map(missingTypes(list))
  assert.deepEqual(
    [added.get('mjs'), added.get('webmanifest')],
    ['text/javascript', 'application/manifest+json'],
  )
  assert.deepEqual(missingTypes(undefined), [])
  assert.deepEqual([added.has('webp'), added.has('woff2')], [false, false])
})
