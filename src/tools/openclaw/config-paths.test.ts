import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskedConfig, textAt, unmaskedConfig, valueAt, withoutSecrets, withValue } from './config-paths.ts'
import { parseConfig } from './json5.ts'

const config = {
  gateway: { auth: { mode: 'token', token: 'a-token-of-the-gateway' }, port: 18_789 },
  models: { providers: { custom: { apiKey: '${CUSTOM_API_KEY}', baseUrl: 'http://x' } } },
  list: [{ botToken: '777:abcdefgh' }],
}

test('masks secrets wherever they are, and no variables', () => {
  const text = JSON.stringify(maskedConfig(config))
  assert.doesNotMatch(text, /a-token-of|777:abcdefgh/)
  assert.match(text, /\$\{CUSTOM_API_KEY\}/)
})

test('a masked configuration that comes back is the stored one', () => {
  assert.deepEqual(unmaskedConfig(maskedConfig(config), config), config)
  assert.deepEqual(unmaskedConfig({ token: '••••••••' }, {}), { token: '' })
})

test('removes secrets with the places that name them', () => {
  assert.deepEqual(withoutSecrets(config), {
    gateway: { auth: { mode: 'token' }, port: 18_789 },
    models: { providers: { custom: { baseUrl: 'http://x' } } },
    list: [{}],
  })
})

test('reads and writes values at paths, and never those of prototypes', () => {
  assert.equal(textAt(config, 'gateway.auth.mode'), 'token')
  assert.equal(valueAt(config, 'gateway.constructor.name'), undefined)
  assert.deepEqual(withValue({}, 'a.b', 1), { a: { b: 1 } })
  assert.deepEqual(withValue({ a: { b: 1, c: 2 } }, 'a.b', undefined), { a: { c: 2 } })
})

test('reads JSON5 that is an object, and nothing else', () => {
  assert.deepEqual(parseConfig("// a comment\n{ a: 'b', c: [1, 2,], }"), { a: 'b', c: [1, 2] })
  for (const text of ['', '[]', '"x"', 'null', '{', '7'])
    assert.throws(() => parseConfig(text), /onfiguration/)
})
