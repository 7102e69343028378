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
  assert.throws(() => unmaskedConfig({ token: '••••••••' }, {}), /config: token has a mask/)
  assert.deepEqual(unmaskedConfig({ a: { token: '********' } }, { a: { token: 'x' } }), { a: { token: 'x' } })
  assert.deepEqual(unmaskedConfig({ prompt: '• one ••••••••' }, config), { prompt: '• one ••••••••' })
})

test('a mask that another secret has too is taken only where nothing around it was moved', () => {
  const short = (name: string, token: string) => ({ name, auth: { token } })
  const stored = { list: [short('one', 'abc'), short('two', 'xyz')], note: 1 }
  const shown: any = maskedConfig(stored)
  assert.deepEqual(unmaskedConfig({ ...shown, note: 2 }, stored), { ...stored, note: 2 })
  const [one, two] = shown.list
  for (const list of [[two, one], [two], [one, two, one], [{ ...one, name: 'ONE' }, two]])
    assert.throws(() => unmaskedConfig({ list }, stored), /config: list\.\d\.auth\.token has a mask/)
  const renamed = { a: { token: 'abc' }, b: { token: 'xyz', c: 1 } }
  const { a, b }: any = maskedConfig(renamed)
  assert.throws(() => unmaskedConfig({ a: b, b: a }, renamed), /config: a\.token has a mask/)
})

test('masks and removes variables and headers, whatever their names are', () => {
  const server = {
    env: { PAT: 'a-secret-of-a-service' },
    headers: { 'X-Api-Key': 'another-secret' },
    url: 'u',
  }
  const deep = Array.from({ length: 60 }).reduce<object>((below) => ({ below }), { password: 'deep-secret' })
  const whole = { server, deep, passwords: [], password: ['one-of-a-list'] }
  assert.doesNotMatch(
    JSON.stringify(maskedConfig(whole)),
    /a-secret-of|another-secret|deep-secret|one-of-a-list/,
  )
  assert.deepEqual(unmaskedConfig(maskedConfig(whole), whole), whole)
  assert.deepEqual(withoutSecrets({ server }), { server: { url: 'u' } })
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
