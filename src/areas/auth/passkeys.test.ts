import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it, mock } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { type Authenticator, makeAuthenticator } from './testing/authenticator.ts'
import { keyOf } from './testing/secret-key.ts'
import { codeOf, counterAt } from './totp.ts'

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
    const expected = { name: 'Phone', rp_id: 'panel.example.com', origin, is_synced: false }
    assert.deepEqual(rest, { ...expected, last_used: null })
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
      { origin: 'https://panel.example.com:9000' }, // another program of this host may serve pages there
      { origin: 'https://panel.example.com' },
      { isVerified: false },
      { counter: 1 },
    ]) {
      const { status, error } = await signIn(flaws)
      assert.deepEqual([status, error.code], [401, 'unauthorized'], JSON.stringify(flaws))
    }
    assert.equal((await signIn({ counter: 100 })).status, 200)
  })

  it('say where they sign in, at another port of their host', async () => {
    await add()
    const { error } = await signIn({ origin: 'https://panel.example.com:9000' })
    assert.equal(error.message, `This passkey signs in at ${origin} only`)
  })

  it('are told of in the activity where their counter went back', async () => {
    await add()
    assert.equal((await signIn({ counter: 7 })).status, 200)
    const { status, error } = await signIn({ counter: 7 })
    assert.deepEqual([status, error.code], [401, 'unauthorized'])
    assert.match(error.message, /^The counter of the passkey went back/)
    const { data } = await panel.request('GET', '/api/activity', { as: panel.admin })
    const told: readonly { readonly message: string }[] = data.items
    const message = `Refuse the passkey Phone of ${ada.email}: its counter went from 7 to 7, as if it was copied`
    assert.ok(told.some((entry) => entry.message === message))
    assert.equal((await signIn({ counter: 8 })).status, 200)
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

  it('are deleted by a superuser who removes a lost second factor', async () => {
    await add()
    const reset = (as: Person) =>
      panel.request('POST', '/api/auth/otp/reset', { as, body: { email: ada.email } })
    assert.equal((await reset(ada)).status, 403)
    assert.equal((await reset(panel.admin)).status, 200)
    assert.equal((await signIn()).status, 401)
    assert.equal((await reset(panel.admin)).error.code, 'conflict')
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

describe('passkeys of users who enter codes', () => {
  let panel: TestPanel
  before(
    async () => void (panel = await openTestPanel({ environment: { HOSTREEVE_FRESH_FACTOR_MINUTES: '10' } })),
  )
  after(() => panel.close())

  const post = (path: string, body: object, as?: Person | string) =>
    panel.request('POST', `/api/auth/${path}`, { ...(as !== undefined && { as }), body })
  const request = (as: Person) => post('passkeys/options', { password: as.password, origin }, as)
  const add = async (as: Person, device: Authenticator) => {
    const { challenge } = (await request(as)).data
    return post('passkeys', { name: 'Key', response: device.create(challenge) }, as)
  }
  const confirm = async (as: Person | string, device: Authenticator, flaws = {}) => {
    const { challenge } = (await post('passkeys/sign-in-options', {})).data
    return post('passkeys/confirm', { response: device.get(challenge, flaws) }, as)
  }
  const destroy = (as: Person) => panel.request('DELETE', '/api/auth/sessions', { as })
  /** A user whose recovery codes are returned; the code that enabled them is fresh. */
  const withCodes = async () => {
    const person = await panel.person()
    const { secret } = (await post('otp/setup', { password: person.password }, person)).data
    const enabled = await post('otp/enable', { otp: codeOf(keyOf(secret), counterAt(new Date())) }, person)
    return { person, codes: enabled.data.recovery_codes as string[] }
  }
  /** Runs later; access tokens of tests live longer than that. */
  const minutesLater = async (minutes: number, work: () => Promise<void>) => {
    mock.timers.enable({ apis: ['Date'], now: Date.now() + minutes * 60_000 })
    await work().finally(() => mock.timers.reset())
  }

  it('are added only soon after a code, as they stand for it', async () => {
    const { person, codes } = await withCodes()
    assert.equal((await request(person)).status, 200)
    await minutesLater(6, async () => {
      const { status, error } = await request(person)
      assert.deepEqual([status, error.code], [403, 'factor_required'])
      assert.equal((await post('otp/confirm', { otp: codes[0] }, person)).status, 200)
      assert.equal((await request(person)).status, 200)
    })
  })

  it('confirm an action in place of a code', async () => {
    const { person } = await withCodes()
    const device = makeAuthenticator(origin)
    assert.equal((await add(person, device)).status, 201)
    await minutesLater(11, async () => {
      assert.equal((await destroy(person)).error.code, 'factor_required')
      assert.equal((await confirm(person, device)).status, 200)
      assert.equal((await destroy(person)).status, 200)
    })
  })

  it('do not confirm for another user, for a key, at another port, or as a copy', async () => {
    const [one, other] = [await withCodes(), await withCodes()]
    const device = makeAuthenticator(origin)
    await add(one.person, device)
    const stranger = await confirm(other.person, device)
    assert.deepEqual([stranger.status, stranger.error.code], [400, 'bad_request'])
    for (const flaws of [{ origin: 'https://panel.example.com:9000' }, { counter: 1 }, { isVerified: false }])
      assert.equal((await confirm(one.person, device, flaws)).status, 400, JSON.stringify(flaws))
    const { key } = (await post('api-keys', { name: 'robot' }, one.person)).data
    assert.equal((await confirm(key, device)).error.code, 'forbidden')
    assert.equal((await post('passkeys/confirm', {}, one.person)).status, 400)
    assert.equal((await post('passkeys/confirm', {})).status, 401)
    await minutesLater(11, async () =>
      assert.equal((await destroy(other.person)).error.code, 'factor_required'),
    )
  })
})
