import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bodyOfRule, formOfRule, type RuleForm } from './rule-form.ts'

describe('the form of a smart rule', () => {
  const common = { zone: 'example.com', record_name: 'www', record_type: 'A', ttl: 60 } as const
  const forms: readonly (readonly [RuleForm, object])[] = [
    [
      {
        ...common,
        rule_type: 'weighted',
        targets: [{ value: '192.0.2.1', weight: 3 }],
        primary: 'left over',
      },
      { targets: [{ value: '192.0.2.1', weight: 3 }], ttl: 60 },
    ],
    [
      {
        ...common,
        ...{ rule_type: 'failover', primary: '192.0.2.1', backup: '192.0.2.2', url: 'http://a.example/' },
      },
      { primary: '192.0.2.1', backup: '192.0.2.2', check: { url: 'http://a.example/' }, ttl: 60 },
    ],
    [
      {
        ...common,
        rule_type: 'geo',
        countries: [{ code: 'de', address: '192.0.2.1' }],
        default: '192.0.2.2',
      },
      { countries: { DE: '192.0.2.1' }, default: '192.0.2.2', ttl: 60 },
    ],
  ]
  for (const [form, config] of forms)
    it(`sends only the fields of ${form.rule_type}, and shows them again`, () => {
      const body = bodyOfRule(form)
      assert.deepEqual(body.config, config)
      const rule = { ...body, record_type: 'A', id: 1, enabled: true, created_at: '', config }
      assert.deepEqual(bodyOfRule(formOfRule(rule)), body)
    })
})
