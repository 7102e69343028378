import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { type Authenticator, makeAuthenticator } from './testing/authenticator.ts'

const origin = 'https://panel.example.com:7070'

describe('passkeys', () => {
  let panel: TestPanel
  let ada: Person
  let device: Authenticator
  let address = 0
  before(async () => void (panel = await openTestPanel()))
  after(() => panel.close())
  beforeEach(async () => {
    ada = await panel.person()
    device = makeAuthenticator(origin)
    address += 1 // sign-ins are limited by address
  })

  const ask = (method: string, path: string, body?: unknown, as: Person | string | undefined = ada) =>
    panel.request(method, `/api/auth/passkeys${path}`, {
      ...(as && { as }),
      ...(body !== undefined && { body }),
      ip: `198.51.100.${address}`,
    })
  const request = async () => {
    const { status, data } = await ask('POST', '/options', { password: ada.password, origin })
    assert.equal(status, 200)
    return data
  }
  const add = async (name = 'Phone', by = device) => {
    const { challenge } = await request()
    return ask('POST', '', { name, response: by.create(challenge) })
  }
  const challengeToSignIn = async () => (await ask('POST', '/sign-in-options', {}, '')).data.challenge
  const signIn = async (flaws = {}, by = device) =>
    ask('POST', '/login', { response: by.get(await challengeToSignIn(), flaws) }, '')

  it('are added by a user who knows the password, and sign in without it', async () => {
    const { status, data } = await add()
    assert.equal(status, 201)
    const { id, created_at: _at, ...rest } = data
    const expected = { name: 'Phone', rp_id: 'panel.example.com', is_synced: false, last_used: null }
    assert.deepEqual(rest, expected)
    const opened = await signIn()
    assert.deepEqual([opened.status, opened.data.user.email], [200, ada.email])
    const token: string = opened.data.access_token
    const [listed] = (await ask('GET', '', undefined, token)).data
    assert.equal(listed.id, id)
    assert.match(listed.last_used, /^20/)
    const options = (await ask('POST', '/options', { password: ada.password, origin })).data
    assert.deepEqual(options.excludeCredentials, [{ type: 'public-key', id: device.id }])
    assert.equal((await add()).error.code, 'already_exists')
  })

  it('stand for both factors, also where codes are asked for often', async () => {
    const strict = await openTestPanel({ environment: { HOSTREEVE_FRESH_FACTOR_MINUTES: '10' } })
    try {
      const eve = await strict.person()
      const body = { password: eve.password, origin }
      const { challenge } = (await strict.request('POST', '/api/auth/passkeys/options', { as: eve, body }))
        .data
      const response = device.create(challenge)
      await strict.request('POST', '/api/auth/passkeys', { as: eve, body: { name: 'Key', response } })
      const options = (await strict.request('POST', '/api/auth/passkeys/sign-in-options', { body: {} })).data
      const login = { response: device.get(options.challenge), cookie: true }
      const { data, headers } = await strict.request('POST', '/api/auth/passkeys/login', { body: login })
      assert.equal(data.refresh_token, '')
      assert.match(String(headers['set-cookie']), /HttpOnly/)
      const ended = await strict.request('DELETE', '/api/auth/sessions', { as: data.access_token })
      assert.equal(ended.status, 200)
    } finally {
      await strict.close()
    }
  })

  it('are refused with a used challenge, another origin, no verified user, or a counter that went back', async () => {
    await add()
    const response = device.get(await challengeToSignIn())
    assert.equal((await ask('POST', '/login', { response }, '')).status, 200)
    assert.equal((await ask('POST', '/login', { response }, '')).status, 401)
    for (const flaws of [
      { origin: 'https://panel.example.net' },
      { origin: 'http://panel.example.com' },
      { isVerified: false },
      { counter: 1 },
    ]) {
      const { status, error } = await signIn(flaws)
      assert.deepEqual([status, error.code], [401, 'unauthorized'], JSON.stringify(flaws))
    }
    assert.equal((await signIn({ counter: 100 })).status, 200)
  })

  it('are refused of a device that is unknown, of suspended users, and once they are deleted', async () => {
    assert.equal((await signIn()).status, 401)
    const { data } = await add()
    await panel.request('PATCH', `/api/users/${ada.id}`, { as: panel.admin, body: { is_suspended: true } })
    assert.equal((await signIn()).status, 401)
    await panel.request('PATCH', `/api/users/${ada.id}`, { as: panel.admin, body: { is_suspended: false } })
    const token: string = (await signIn()).data.access_token
    const eve = await panel.person()
    assert.equal((await ask('DELETE', `/${data.id}`, undefined, eve)).status, 404)
    assert.equal((await ask('DELETE', `/${data.id}`, undefined, token)).status, 200)
    assert.equal((await signIn()).status, 401)
  })

  it('are not added with a wrong password, at an address, over HTTP, or by a key with limits', async () => {
    const wrong = await ask('POST', '/options', { password: 'wrong password', origin })
    assert.deepEqual([wrong.status, wrong.error.code], [400, 'bad_request'])
    for (const unsuitable of [
      'https://192.0.2.7:7070',
      'https://[2001:db8::1]',
      'http://panel.example.com',
      'panel.example.com',
      'https://panel.example.com/',
      '',
    ]) {
      const { status, error } = await ask('POST', '/options', { password: ada.password, origin: unsuitable })
      assert.equal(status, 400)
      assert.match(error.message, /^origin: must be https/)
    }
    const local = await ask('POST', '/options', { password: ada.password, origin: 'http://localhost:7070' })
    assert.equal(local.data.rp.id, 'localhost')
    const { data } = await panel.request('POST', '/api/auth/api-keys', {
      as: ada,
      body: { name: 'robot', permissions: [] },
    })
    assert.equal((await ask('POST', '/options', { password: ada.password, origin }, data.key)).status, 403)
  })

  it('are not added with the challenge of another user, of a sign-in, or of another host', async () => {
    const { challenge } = await request()
    const eve = await panel.person()
    const body = { name: 'Phone', response: device.create(challenge) }
    for (const [as, sent] of [
      [eve, body],
      [ada, { name: 'Phone', response: device.create(await challengeToSignIn()) }],
      [
        ada,
        {
          name: 'Phone',
          response: device.create((await request()).challenge, { origin: 'https://other.example.com' }),
        },
      ],
      [ada, { name: 'Phone', response: device.create((await request()).challenge, { isVerified: false }) }],
    ] as const) {
      const { status, error } = await ask('POST', '', sent, as)
      assert.deepEqual([status, error.code], [400, 'bad_request'])
    }
    const forSignIn = device.get((await request()).challenge)
    assert.equal((await ask('POST', '/login', { response: forSignIn }, '')).status, 401)
  })

  it('are not added or used by bad input', async () => {
    const response = device.create((await request()).challenge)
    for (const body of [
      {},
      { name: '', response },
      { name: 'a\nb', response },
      { name: 'x'.repeat(101), response },
    ])
      assert.equal((await ask('POST', '', body)).status, 400)
    const broken = { ...response, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } }
    assert.equal((await ask('POST', '', { name: 'x', response: broken })).status, 400)
    const noise = { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' }
    assert.equal(
      (await ask('POST', '/login', { response: { ...response, response: noise } }, '')).status,
      401,
    )
    assert.equal((await ask('POST', '/login', {}, '')).status, 400)
    assert.equal((await ask('POST', '/options', { password: ada.password })).status, 400)
  })

  it('are at most ten', async () => {
    for (let count = 0; count < 10; count++) {
      address += 1
      assert.equal((await add(`Key ${count}`, makeAuthenticator(origin))).status, 201)
    }
    address += 1
    const { status, error } = await ask('POST', '/options', { password: ada.password, origin })
    assert.deepEqual([status, error.code], [409, 'conflict'])
    const plan = await panel.request('DELETE', `/api/users/${ada.id}?plan=1`, { as: panel.admin })
    assert.match(plan.text, /10 passkeys are deleted/)
  })
})
