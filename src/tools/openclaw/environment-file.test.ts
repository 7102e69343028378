import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { parseEnvironment, quotedValue, renderEnvironment } from './environment-file.ts'

const variables = {
  B: "it's",
  A: 'plain',
  C: 'a`b',
  D: '$HOME #x = "y"',
  E: "a'b`c",
  F: ' spaces ',
  G: 'a\\nb',
}

test('what is written is read again, by the panel and by Node', () => {
  const text = renderEnvironment(variables)
  assert.deepEqual(parseEnvironment(text), variables)
  assert.deepEqual({ ...parseEnv(text) }, variables)
})

test('has no place for several lines and all three quotation marks', () => {
  for (const value of ['a\nb', 'a\u0000', '\'`"', "'`\\"]) assert.equal(quotedValue(value), undefined)
  assert.throws(() => renderEnvironment({ A: 'a\nb' }), /cannot be written/)
})

test('leaves out what it does not know', () => {
  assert.deepEqual(parseEnvironment("# A='b'\nexport A='b'\nA=b\nB='c'\n"), { B: 'c' })
})
