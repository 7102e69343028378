import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseConfig, renderConfig } from './json5.ts'

test('reads what JSON5 has beside JSON', () => {
  const text = `// a comment, with "quotes" and a /* in it
{
  plain: 'it is "so"', "quoted": "it's", $ä_1: /* within */ true, 'a b': null, false: false,
  numbers: [1, -2.5, +3, .5, 4., 0x1F, -0x10, 1e3,],
  escapes: 'a\\nb\\x41\\u00e9\\'\\
continued',
  nested: { list: [], empty: {}, },
}
/* the end`
  assert.deepEqual(parseConfig(`${text} */`), {
    plain: 'it is "so"',
    quoted: "it's",
    $ä_1: true,
    'a b': null,
    false: false,
    numbers: [1, -2.5, 3, 0.5, 4, 31, -16, 1000],
    escapes: "a\nbAé'continued",
    nested: { list: [], empty: {} },
  })
  assert.throws(() => parseConfig(text), /invalid end of input/)
})

test('reads what it writes', () => {
  const config = { a: { 'b.c': ['${NAME}', '// no comment', "'"], __proto: '\u2028\\' }, '': 0 }
  assert.deepEqual(parseConfig(renderConfig(config)), config)
})

test('gives an object no other prototype', () => {
  const config = parseConfig('{ __proto__: { polluted: true } }')
  assert.equal(config['polluted'], undefined)
  assert.equal(Object.getPrototypeOf(config), Object.prototype)
})

test('refuses what is neither', () => {
  for (const text of [
    '{a}',
    '{a: }',
    '{a: b}',
    '{,}',
    '[,]',
    '{a: 1 b: 2}',
    "{a: 'x}",
    "{a: 'x\ny'}",
    '{1: 2}',
    '{a: #}',
    '{a: 1e999}',
  ])
    assert.throws(() => parseConfig(text), /The configuration/, text)
})
