import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choiceOf, firstAsked, narrowed } from './asked.ts'

test('a search is sent with its times and severities', () => {
  const choice = choiceOf({
    ...firstAsked,
    range: '2026-01-01T00:00:00Z..2026-01-02T00:00:00Z',
    severity: 'err,crit',
  })
  assert.deepEqual(
    [choice.timeFrom, choice.timeTo, choice.severity],
    ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', ['crit', 'err']],
  )
  assert.deepEqual(choiceOf(firstAsked).severity, [])
})

test('a query is narrowed to a value once, whatever characters that has', () => {
  const query = narrowed('', 'program', 'a"b\\c')
  assert.equal(query, 'program:"a\\"b\\\\c"')
  assert.equal(narrowed('x OR y', 'host', 'web'), '(x OR y) AND host:"web"')
  assert.equal(narrowed(query, 'program', 'a"b\\c'), query)
})
