import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unifiedDiff } from './diff.ts'

const lines = (...names: (string | number)[]) => names.map((name) => `${name}\n`).join('')

test('is empty for equal texts', () => {
  assert.equal(unifiedDiff('/a', 'x\n', 'x\n'), '')
  assert.equal(unifiedDiff('/a', undefined, undefined), '')
})

test('shows a new file and a removed one', () => {
  assert.equal(unifiedDiff('/a', undefined, lines('x')), '--- /dev/null\n+++ /a\n@@ -0,0 +1,1 @@\n+x\n')
  assert.equal(unifiedDiff('/a', lines('x'), undefined), '--- /a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n')
})
