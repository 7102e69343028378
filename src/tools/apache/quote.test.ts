import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactly, quoted, target } from './quote.ts'

/** Reads the first word of a line as Apache does (`ap_getword_conf` and `substring_conf` of server/util.c). */
function wordOf(line: string): string {
  const quote = line[0]
  if (quote !== '"' && quote !== "'") return /^\S*/.exec(line)?.[0] ?? ''
  let word = ''
  for (let at = 1; at < line.length && line[at] !== quote; at += 1) {
    if (line[at] === '\\' && (line[at + 1] === '\\' || line[at + 1] === quote)) at += 1
    word += line[at]
  }
  return word
}

/** Reads the first argument of a rewrite as mod_rewrite does (`parseargline`): nothing is escaped in it. */
const argumentOf = (line: string): string => /^"([^"]*)"/.exec(line)?.[1] ?? /^\S*/.exec(line)?.[0] ?? ''

/** Undoes what mod_rewrite makes of a substitution without groups and variables (`do_expand`). */
const expanded = (text: string): string => {
  assert.doesNotMatch(text.replaceAll(/\\./g, ''), /[$%]/)
  return text.replaceAll(/\\(.)/g, '$1')
}

/** Numbers that look random, and are the same in each run (Numerical Recipes). */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state
  }
}

const characters = [...'ab/.:?*+()[]{}|^$%&#<>"\'\\ ;,=@~-_!`ü€']

function* texts(count: number): Generator<string> {
  const random = numbers(7)
  const next = (below: number) => (random.next().value as number) % below
  for (let index = 0; index < count; index += 1) {
    const length = 1 + next(12)
    const text = Array.from({ length }, () => characters[next(characters.length)]).join('')
    if (!text.includes('${')) yield text
  }
}

test('any value is one word of Apache, which reads it as it was', () => {
  for (const text of texts(20_000)) {
    assert.equal(wordOf(quoted(text)), text)
    assert.equal(wordOf(`${quoted(text)} "next"`), text)
  }
})

test('any path is matched by its expression alone, and any target is sent as it is', () => {
  for (const text of texts(5000)) {
    const expression = new RegExp(argumentOf(`${exactly(text)} "-"`))
    assert.ok(expression.test(text), text)
    assert.ok(!expression.test(`${text}x`) && !expression.test(`x${text}`), text)
    assert.equal(expanded(argumentOf(`${target(text)} [L]`)), text.replaceAll('"', '%22'))
  }
})

for (const value of ['', 'a\nb', 'a\0b', 'a\u0085b', '${HOME}', 'a${b'])
  test(`never quotes ${JSON.stringify(value)}`, () => {
    assert.throws(() => quoted(value), /cannot represent/)
    assert.throws(() => target(value), /cannot represent/)
  })
