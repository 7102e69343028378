import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainText } from './plain-text.ts'

test('removes the control sequences of a terminal, and keeps tabs and text', () => {
  assert.equal(plainText('\u001b[1;31merror\u001b[0m:\tno [31m file\r'), 'error:\tno [31m file')
  assert.equal(plainText('\u001b]8;;http://x\u0007link\u001b]8;;\u001b\\ \u001b(Bend\u0000'), 'link end')
})
