import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Type from 'typebox'
import { Optional, Revealed, Secret, Text } from './schemas.ts'
import { holdsSecret, isMasked, mask, masker, redactor } from './secret.ts'

const bullets = '•'.repeat(8)
const Account = Type.Object({
  name: Text(20),
  password: Secret(),
  token: Revealed(),
  keys: Type.Array(Type.Object({ label: Text(20), key: Secret() })),
  proxy: Optional(Type.Union([Type.Object({ secret: Secret() }), Type.Null()])),
  pins: Optional(Type.Array(Secret())),
})
const account = {
  name: 'ada',
  password: 'correct-horse-battery',
  token: 'abcdefghijkl',
  keys: [{ label: 'one', key: 'short' }],
  proxy: { secret: '123456789' },
  pins: ['000000000001'],
}

describe('masking', () => {
  it('shows four characters at each end, and none of eight or fewer', () => {
    assert.equal(mask('123456789'), `1234${bullets}6789`)
    for (const value of ['', 'a', '12345678']) assert.equal(mask(value), bullets)
  })

  it('recognizes its own values and eight asterisks in a request', () => {
    for (const value of ['', 'short', 'a long secret value']) assert.ok(isMasked(mask(value)))
    assert.ok(isMasked('********'))
    for (const value of ['', 'secret', '*******', '*********']) assert.ok(!isMasked(value))
  })

  it('masks every secret of a reply at any depth, shows those that the call reveals, and does not modify the value', () => {
    const before = structuredClone(account)
    assert.deepEqual(masker(Account)?.(account), {
      ...account,
      password: `corr${bullets}tery`,
      keys: [{ label: 'one', key: bullets }],
      proxy: { secret: `1234${bullets}6789` },
      pins: [`0000${bullets}0001`],
    })
    assert.deepEqual(account, before)
  })

  it('leaves null and absent values as they are', () => {
    assert.deepEqual(masker(Account)?.({ name: 'a', proxy: null }), { name: 'a', proxy: null })
    assert.equal(masker(Account)?.(null), null)
  })

  it('costs nothing if a schema contains no secret', () => {
    assert.equal(masker(Type.Object({ name: Text(5) })), undefined)
  })
})

describe('redacting', () => {
  it('leaves no character of any secret, including revealed ones', () => {
    const text = JSON.stringify(redactor(Account)?.(account))
    for (const secret of ['correct', 'tery', 'abcd', 'short', '1234', '0001'])
      assert.ok(!text.includes(secret), secret)
    assert.ok(text.includes('ada'))
  })

  it('redacts secrets that are not text', () => {
    assert.deepEqual(redactor(Account)?.({ password: { hidden: 1 }, token: 5 }), {
      password: bullets,
      token: bullets,
    })
  })
})

it('finds a secret anywhere in a schema', () => {
  for (const schema of [
    Secret(),
    Account,
    Type.Array(Type.Object({ a: Type.Union([Type.Null(), Secret()]) })),
  ])
    assert.ok(holdsSecret(schema))
  assert.ok(!holdsSecret(Type.Object({ name: Text(5) })))
  assert.ok(!holdsSecret(undefined))
})
