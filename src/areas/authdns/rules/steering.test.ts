import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RuleConfig } from './model.ts'
import { type RuleForm, steeringOf } from './steering.ts'

const refused: readonly (readonly [RuleForm['rule'], RuleConfig, RegExp])[] = [
  ['weighted', {}, /config\.targets: must have/],
  [
    'weighted',
    { targets: [{ value: '2001:db8::1', weight: 1 }] },
    /config\.targets\[0\]\.value: must be an IPv4/,
  ],
  ['weighted', { targets: [{ value: '192.0.2.1', weight: 1 }], primary: '192.0.2.1' }, /config\.primary: /],
  ['failover', { primary: '192.0.2.1', check: { port: 80 } }, /config\.backup: must be/],
  ['failover', { primary: '192.0.2.1', backup: '192.0.2.2' }, /config\.check: must have either/],
  ['failover', { primary: '192.0.2.1', backup: '192.0.2.2', check: { port: 1, text: 'x' } }, /check\.text/],
  ['failover', { primary: '192.0.2.1', backup: '192.0.2.2', check: { url: 'ftp://a/' } }, /check\.url/],
  ['geo', { default: '192.0.2.1' }, /config\.countries: /],
  ['geo', { countries: { DE: '192.0.2.1' } }, /config\.default: must be/],
]

describe('the configuration of a smart rule', () => {
  for (const [rule, config, message] of refused)
    it(`is refused for ${rule} with ${JSON.stringify(config)}`, () => {
      assert.throws(() => steeringOf({ rule, type: 'A' }, config), { message })
    })

  it('becomes how answers are chosen', () => {
    const config = { primary: '192.0.2.1', backup: '192.0.2.2', check: { url: 'http://example.com/a b' } }
    assert.deepEqual(steeringOf({ rule: 'failover', type: 'A' }, config), {
      ...{ kind: 'failover', primary: '192.0.2.1', backup: '192.0.2.2' },
      check: { url: 'http://example.com/a%20b' },
    })
  })
})
