import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ruleset } from '../model.ts'
import { bodyOfRule, bodyOfRuleset, formOfRule, formOfRuleset, movedTo } from './ruleset-form.ts'

const ruleset: Ruleset = {
  ...{ id: 's1-1', name: 'n', description: '', action: 'block', combine: 'any', enabled: true },
  ...{ action_options: { status: 410, page: null, on_failure: 'closed' }, website_ids: null },
  ...{ position: 0, pending: true, rules: 1, hits: null },
}

test('a form that nobody changes sends what the ruleset is', () => {
  const { id: _, position: __, pending: ___, rules: ____, hits: _____, ...sent } = ruleset
  assert.deepEqual(bodyOfRuleset(formOfRuleset(ruleset), 7), { ...sent, website_id: 7 })
})

test('keeps the websites of a ruleset, whichever of them is chosen on the page', () => {
  const form = formOfRuleset({ ...ruleset, website_ids: [3, 4] })
  assert.deepEqual(bodyOfRuleset(form, 7, [3, 4]).website_ids, [3, 4])
  assert.deepEqual(bodyOfRuleset({ ...form, only_this: false }, 7, [3, 4]).website_ids, null)
})

test('sends the options of the chosen action alone', () => {
  const form = { ...formOfRuleset(ruleset), action: 'rate_limit' as const, only_this: true, closed: false }
  const { action_options, website_ids } = bodyOfRuleset(form, 7)
  assert.deepEqual([action_options, website_ids], [{ requests: 60, on_failure: 'open' }, [7]])
})

test('shows an absent value of a condition as empty, and sends it back as absent', () => {
  const conditions = [{ field: 'referer', operator: 'exists' as const, value: null, negate: true }]
  const rule = {
    id: 'r1-1',
    name: 'n',
    enabled: true,
    position: 0,
    source: 'own' as const,
    conditions,
    hits: 0,
  }
  assert.deepEqual(bodyOfRule(formOfRule(rule), 7).conditions, conditions)
})

test('moves an id up and down', () => {
  assert.deepEqual(movedTo(['a', 'b', 'c'], 2, 0), ['c', 'a', 'b'])
  assert.deepEqual(movedTo(['a', 'b', 'c'], 0, 1), ['b', 'a', 'c'])
})
