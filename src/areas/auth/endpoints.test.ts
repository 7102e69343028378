import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Semaphore } from '../../core/semaphore.ts'
import { updateRow } from '../../store/rows.ts'
import { type Answer, openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import { hashNewPassword, noPassword } from '../users/index.ts'

describe('signing in', () => {
  let panel: TestPanel
  let addresses = 0
  before(async () => void (panel = await openTestPanel()))
  after(() => panel.close())

  /** Attempts are counted by address and account, so each test comes from its own. */
  const freshIp = () => `192.0.2.${(addresses += 1)}`
  const signIn = (email: string, password: string, ip = freshIp(), body: object = {}) =>
    panel.request('POST', '/api/auth/login', { ip, body: { email, password, ...body } })
  const isSignedIn = async (token: string) =>
    (await panel.request('GET', '/api/auth/me', { as: token })).status === 200
  const latest = async (count: number) =>
    (await panel.request('GET', `/api/activity?limit=${count}`, { as: panel.admin })).data.items

  test('answers tokens and the user, and the access token works', async () => {
    const person = await panel.person()
    const { status, data } = await signIn(person.email.toUpperCase(), person.password)
    assert.equal(status, 200)
    assert.deepEqual(
      [data.token_type, data.expires_in, data.user.id, data.user.email],
      ['Bearer', 900, person.id, person.email],
    )
    assert.ok(await isSignedIn(data.access_token))
  })

  test('says the same for a wrong password, an unknown address and a suspended user', async () => {
    const person = await panel.person()
    const suspended = await panel.person({ isSuspended: true })
    const refusals = [
      await signIn(person.email, 'wrong password'),
      await signIn('nobody@example.com', 'wrong password'),
      await signIn(suspended.email, suspended.password),
    ]
    for (const { status, error, headers } of refusals) {
      assert.deepEqual(
        [status, error.code, error.message],
        [401, 'unauthorized', 'The e-mail address or the password is wrong'],
      )
      assert.equal(headers['www-authenticate'], 'Bearer')
    }
  })

  test('records what was done and what was refused, without the password', async () => {
    const person = await panel.person()
    await signIn(person.email, 'a wrong password')
    await signIn(person.email, person.password)
    const [ok, refused] = await latest(2)
    assert.deepEqual(
      [refused.action, refused.status, ok.action, ok.status],
      ['auth_sign_in', 'failed', 'auth_sign_in', 'ok'],
    )
    assert.equal(refused.request.body.email, person.email)
    assert.doesNotMatch(JSON.stringify([ok, refused]), /wrong password|correct horse/)
    assert.doesNotMatch(JSON.stringify(panel.log), /wrong password|correct horse|hra_|hrr_/)
  })

  for (const [what, body, field] of [
    ['no e-mail address', { password: 'x' }, 'email'],
    ['an e-mail address that is none', { email: 'nobody', password: 'x' }, 'email'],
    ['no password', { email: 'a@example.com' }, 'password'],
    ['a password that is no text', { email: 'a@example.com', password: 7 }, 'password'],
    ['a password of 16,000 characters', { email: 'a@example.com', password: 'x'.repeat(16_000) }, 'password'],
  ] as const) {
    test(`refuses ${what}, naming the field`, async () => {
      const { status, error } = await panel.request('POST', '/api/auth/login', { ip: freshIp(), body })
      assert.deepEqual([status, error.code], [400, 'bad_request'])
      assert.match(error.message, new RegExp(`^${field}: `))
    })
  }

  /** An answer without its id and time. */
  const comparable = ({ status, headers, text }: Answer) => {
    const { 'x-request-id': _id, date: _date, 'retry-after': retryAfter, ...rest } = headers
    return {
      status,
      headers: rest,
      isToRetry: Number(retryAfter) > 0,
      text: text.replaceAll(/\d+(?= s"|\}\})/g, 'N'),
    }
  }

  test('answers ten wrong passwords and an eleventh alike for known, suspended and unknown accounts', async () => {
    const person = await panel.person()
    const suspended = await panel.person({ isSuspended: true })
    const answersFor = async (email: string, ip = freshIp()) => {
      const answers: Answer[] = []
      for (let attempt = 0; attempt < 11; attempt++) answers.push(await signIn(email, 'wrong password', ip))
      return answers.map(comparable)
    }
    const known = await answersFor(person.email)
    assert.deepEqual(await answersFor('nobody@example.org'), known)
    assert.deepEqual(await answersFor(suspended.email), known)
    assert.deepEqual(
      known.map(({ status }) => status),
      [...Array.from({ length: 10 }, () => 401), 429],
    )
  })

  test('refuses an address after ten failures for one account, also with the right password, and says until when', async () => {
    const person = await panel.person()
    const ip = freshIp()
    for (let attempt = 0; attempt < 10; attempt++) await signIn(person.email, 'wrong password', ip)
    const { status, error, headers } = await signIn(person.email.toUpperCase(), person.password, ip)
    assert.deepEqual([status, error.code], [429, 'rate_limited'])
    assert.ok(Number(headers['retry-after']) > 0 && Number(headers['retry-after']) <= 60)
  })

  test('never locks an account: its owner signs in from another address while one guesses', async () => {
    const ip = freshIp()
    for (let attempt = 0; attempt < 12; attempt++) await signIn(panel.admin.email, 'wrong password', ip)
    assert.equal((await signIn(panel.admin.email, panel.admin.password)).status, 200)
  })

  test('hashes once at the same cost for an unknown account and for a wrong password', async (t) => {
    const { email } = await panel.person()
    const { mock } = t.mock.method(Semaphore.prototype, 'run')
    const hashesFor = async (account: string) => {
      const before = mock.callCount()
      await signIn(account, 'wrong password')
      return mock.callCount() - before
    }
    assert.deepEqual([await hashesFor(email), await hashesFor('nobody@example.net')], [1, 1])
    const costOf = (hash: string) => hash.split('$').slice(0, 3)
    assert.deepEqual(costOf(noPassword), costOf(await hashNewPassword(email, 'a long enough password')))
  })

  test('does not count sign-ins that succeed', async () => {
    const person = await panel.person()
    const ip = freshIp()
    for (let attempt = 0; attempt < 12; attempt++)
      assert.equal((await signIn(person.email, person.password, ip)).status, 200)
  })

  describe('refreshing', () => {
    const refresh = (refresh_token: string) =>
      panel.request('POST', '/api/auth/refresh', { body: { refresh_token } })

    test('gives new tokens, and the old access token ends', async () => {
      const person = await panel.person()
      const { status, data } = await refresh(person.refreshToken)
      assert.equal(status, 200)
      assert.notEqual(data.refresh_token, person.refreshToken)
      assert.deepEqual([await isSignedIn(person.token), await isSignedIn(data.access_token)], [false, true])
      assert.equal((await refresh(data.refresh_token)).status, 200)
    })

    test('ends the session when a refresh token comes a second time', async () => {
      const person = await panel.person()
      const { data } = await refresh(person.refreshToken)
      const again = await refresh(person.refreshToken)
      assert.deepEqual([again.status, again.error.code], [401, 'unauthorized'])
      assert.equal(await isSignedIn(data.access_token), false)
      assert.equal((await refresh(data.refresh_token)).status, 401)
    })

    test('shows the plan of a refused renewal as its refusal, and ends nothing', async () => {
      const person = await panel.person()
      const { data } = await refresh(person.refreshToken)
      for (const query of ['?plan=1', '?plan=true']) {
        const plan = await panel.request('POST', `/api/auth/refresh${query}`, {
          body: { refresh_token: person.refreshToken },
        })
        assert.deepEqual([plan.status, plan.error.code], [401, 'unauthorized'])
      }
      assert.equal(await isSignedIn(data.access_token), true)
      assert.equal((await refresh(data.refresh_token)).status, 200)
    })

    test('ends the session of a cookie that comes a second time, records why, and refuses every repeat', async () => {
      const person = await panel.person()
      const headers = {
        cookie: `hostreeve_refresh=${person.refreshToken}`,
        'idempotency-key': `renew-${person.id}`,
      }
      const { data } = await refresh(person.refreshToken)
      const again = () => panel.request('POST', '/api/auth/refresh', { body: {}, headers })
      for (const answer of [await again(), await again()])
        assert.deepEqual([answer.status, answer.error.code], [401, 'unauthorized'])
      assert.equal(await isSignedIn(data.access_token), false)
      const ended = panel.store.db.selectFrom('activity').select('message')
      assert.match(
        (await ended.where('message', 'like', 'End session %').orderBy('id', 'desc').executeTakeFirst())
          ?.message ?? '',
        /its refresh token was used before$/,
      )
    })

    test('lets only one of two requests with the same token through', async () => {
      const person = await panel.person()
      const answers = await Promise.all([refresh(person.refreshToken), refresh(person.refreshToken)])
      assert.equal(answers.filter(({ status }) => status === 200).length <= 1, true)
      assert.ok(answers.every(({ status }) => status === 200 || status === 401 || status === 409))
    })

    test('refuses an unknown token, none, one of a suspended user and one that is too old', async () => {
      const suspended = await panel.person({ isSuspended: true })
      const old = await panel.person()
      await panel.store.db
        .updateTable('sessions')
        .set({ expires_at: '2020-01-01T00:00:00.000Z' })
        .where('user_id', '=', old.id)
        .execute()
      for (const token of ['hrr_unknown', '', suspended.refreshToken, old.refreshToken])
        assert.equal((await refresh(token)).error.code, 'unauthorized')
      assert.match(
        (await panel.request('POST', '/api/auth/refresh', { body: { refresh_token: 7 } })).error.message,
        /^refresh_token: /,
      )
    })

    test('keeps the refresh token of a browser in a cookie that no script reads', async () => {
      const person = await panel.person()
      const { data, headers } = await signIn(person.email, person.password, freshIp(), { cookie: true })
      assert.equal(data.refresh_token, '')
      const cookie = String(headers['set-cookie'])
      assert.match(
        cookie,
        /^hostreeve_refresh=hrr_[\w-]+; Path=\/api\/auth; HttpOnly; SameSite=Strict; Expires=/,
      )
      const renewed = await panel.request('POST', '/api/auth/refresh', {
        body: {},
        headers: { cookie: cookie.split(';')[0] as string },
      })
      assert.deepEqual([renewed.status, renewed.data.refresh_token], [200, ''])
      assert.notEqual(String(renewed.headers['set-cookie']).split(';')[0], cookie.split(';')[0])
    })
  })

  describe('a page of another site', () => {
    const foreign: readonly Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ]

    test('signs no browser in, and no attempt is counted or recorded for it', async () => {
      const person = await panel.person()
      const body = { email: person.email, password: person.password, cookie: true }
      for (const headers of foreign) {
        const answer = await panel.request('POST', '/api/auth/login', { ip: freshIp(), body, headers })
        assert.deepEqual([answer.status, answer.error.code], [403, 'forbidden'])
        assert.equal(answer.headers['set-cookie'], undefined)
      }
      assert.notEqual((await latest(1))[0]?.request.body?.email, person.email)
    })

    test('uses up no refresh token that a browser keeps in its cookie', async () => {
      const person = await panel.person()
      const cookie = { cookie: `hostreeve_refresh=${person.refreshToken}` }
      const refresh = (headers: Record<string, string>) =>
        panel.request('POST', '/api/auth/refresh', { body: {}, headers: { ...cookie, ...headers } })
      for (const headers of foreign) assert.equal((await refresh(headers)).error.code, 'forbidden')
      assert.equal((await refresh({ origin: 'http://localhost:80' })).status, 200)
    })
  })

  test('refuses an access token that has run out', async () => {
    const person = await panel.person()
    await panel.store.db
      .updateTable('sessions')
      .set({ access_expires_at: new Date(Date.now() - 1).toISOString() })
      .where('user_id', '=', person.id)
      .execute()
    assert.equal(await isSignedIn(person.token), false)
  })

  test('refuses tokens that would live too long, as those of a clock that was ahead', async () => {
    const person = await panel.person()
    const setTimes = (accessMs: number, sessionMs: number) =>
      panel.store.transaction((tx) =>
        panel.store.write(tx, [
          updateRow(
            'sessions',
            { id: person.sessionId },
            {
              access_expires_at: new Date(Date.now() + accessMs).toISOString(),
              expires_at: new Date(Date.now() + sessionMs).toISOString(),
            },
          ),
        ]),
      )
    const [hour, day] = [3_600_000, 86_400_000]
    await setTimes(hour, 31 * day - 1000)
    assert.equal(await isSignedIn(person.token), true)
    await setTimes(day, 400 * day)
    assert.equal(await isSignedIn(person.token), false)
    const refresh = () =>
      panel.request('POST', '/api/auth/refresh', { body: { refresh_token: person.refreshToken } })
    assert.equal((await refresh()).status, 401)
    await setTimes(day, 31 * day - 1000)
    const renewed = await refresh()
    assert.equal(renewed.status, 200)
    assert.equal(await isSignedIn(renewed.data.access_token), true)
  })

  test('tells who is signed in, with all permissions for a superuser', async () => {
    const person = await panel.person({ permissions: ['websites_management'] })
    const own = await panel.request('GET', '/api/auth/me', { as: person })
    assert.deepEqual(
      [own.data.id, own.data.permissions, 'password_hash' in own.data],
      [person.id, ['websites_management'], false],
    )
    assert.equal((await panel.request('GET', '/api/auth/me', { as: panel.admin })).data.permissions.length, 5)
  })

  test('ends the session of this request only', async () => {
    const person = await panel.person()
    const other = (await signIn(person.email, person.password)).data.access_token
    const { status, headers } = await panel.request('POST', '/api/auth/logout', { as: person })
    assert.equal(status, 200)
    assert.match(String(headers['set-cookie']), /^hostreeve_refresh=; /)
    assert.deepEqual([await isSignedIn(person.token), await isSignedIn(other)], [false, true])
  })

  describe('passwords', () => {
    const change = (person: Person, current_password: string, new_password: string) =>
      panel.request('POST', '/api/auth/password', {
        as: person,
        ip: freshIp(),
        body: { current_password, new_password },
      })

    test('a changed password ends the other sessions at once and keeps this one; only the new one signs in', async () => {
      const person = await panel.person()
      const other = (await signIn(person.email, person.password)).data.access_token
      assert.equal((await change(person, person.password, 'a new password')).status, 200)
      assert.deepEqual([await isSignedIn(person.token), await isSignedIn(other)], [true, false])
      assert.deepEqual(
        [
          (await signIn(person.email, person.password)).status,
          (await signIn(person.email, 'a new password')).status,
        ],
        [401, 200],
      )
    })

    test('a wrong current password or a short new one changes nothing', async () => {
      const person = await panel.person()
      const wrong = await change(person, 'not it at all', 'a new password')
      assert.deepEqual(
        [wrong.status, wrong.error.code, wrong.error.message],
        [400, 'bad_request', 'current_password: is wrong'],
      )
      assert.match(
        (await change(person, person.password, 'short')).error.message,
        /^new_password: must be a password of 10 to 256 characters, not blank and not a mask$/,
      )
      assert.equal(
        (await change(person, person.password, person.email.toUpperCase())).error.message,
        'new_password: must not be the e-mail address',
      )
      assert.ok(await isSignedIn(person.token))
    })

    test('superusers who reset their own password keep the session that did it, and no other', async () => {
      const person = await panel.person({ isAdmin: true })
      const other = (await signIn(person.email, person.password)).data.access_token
      const body = { email: person.email, password: 'a password of my own' }
      const { status } = await panel.request('POST', '/api/auth/reset-password', { as: person, body })
      assert.equal(status, 200)
      assert.deepEqual([await isSignedIn(person.token), await isSignedIn(other)], [true, false])
    })

    test('only a superuser resets a lost password, which ends the sessions of that user', async () => {
      const person = await panel.person()
      const reset = (as: Person, email: string) =>
        panel.request('POST', '/api/auth/reset-password', {
          as,
          body: { email, password: 'a password from above' },
        })
      assert.equal(
        (await reset(await panel.person({ permissions: ['booting_users_management'] }), person.email)).error
          .code,
        'forbidden',
      )
      assert.ok(await isSignedIn(person.token))
      assert.equal((await reset(panel.admin, person.email)).status, 200)
      assert.equal(await isSignedIn(person.token), false)
      assert.equal((await reset(panel.admin, 'nobody@example.com')).error.code, 'not_found')
    })
  })

  test('records a sign-in, and not the renewals of its session', async () => {
    const person = await panel.person()
    const { data } = await signIn(person.email, person.password)
    const [{ id }] = await latest(1)
    const renewed = await panel.request('POST', '/api/auth/refresh', {
      body: { refresh_token: data.refresh_token },
    })
    assert.equal(renewed.status, 200)
    const [newest] = await latest(1)
    assert.deepEqual([newest.action, newest.id], ['auth_sign_in', id])
  })

  describe('API keys of one’s own', () => {
    test('are created, shown once, listed and deleted, by their user only', async () => {
      const person = await panel.person()
      const made = await panel.request('POST', '/api/auth/api-keys', { as: person, body: { name: 'deploy' } })
      assert.deepEqual([made.status, made.data.name], [200, 'deploy'])
      const list = async (as: Person) => (await panel.request('GET', '/api/auth/api-keys', { as })).data.keys
      const [shown] = await list(person)
      assert.deepEqual([shown.name, shown.key_prefix], ['deploy', made.data.key.slice(0, 12)])
      assert.doesNotMatch(JSON.stringify(shown), new RegExp(made.data.key))
      assert.ok(await isSignedIn(made.data.key))
      const remove = (as: Person) =>
        panel.request('DELETE', `/api/auth/api-keys/${made.data.id}`, { as }).then(({ status }) => status)
      assert.deepEqual([await remove(panel.admin), await isSignedIn(made.data.key)], [200, true])
      assert.deepEqual([await remove(person), await isSignedIn(made.data.key)], [200, false])
      assert.deepEqual(await list(person), [])
    })

    test('need a name', async () => {
      const { status, error } = await panel.request('POST', '/api/auth/api-keys', {
        as: await panel.person(),
        body: { name: '' },
      })
      assert.deepEqual([status, error.message], [400, 'name: must be a name of 1 to 100 characters'])
    })
  })

  describe('one’s own profile', () => {
    const edit = (as: Person, body: object) => panel.request('PATCH', '/api/auth/me', { as, body })

    test('has a name and a time zone, and keeps what is left out', async () => {
      const person = await panel.person()
      assert.equal((await edit(person, { time_zone: 'Europe/Berlin' })).status, 200)
      assert.equal((await edit(person, { fullname: 'Ada Lovelace' })).status, 200)
      const read = async () => (await panel.request('GET', '/api/auth/me', { as: person })).data
      const { fullname, time_zone } = await read()
      assert.deepEqual([fullname, time_zone], ['Ada Lovelace', 'Europe/Berlin'])
      await edit(person, { time_zone: null })
      assert.equal((await read()).time_zone, null)
    })

    for (const zone of ['UTC', 'Etc/UTC', 'Zulu', 'Asia/Calcutta', 'Asia/Kolkata'])
      test(`accepts the time zone ${zone}`, async () =>
        assert.equal((await edit(await panel.person(), { time_zone: zone })).status, 200))

    for (const zone of ['Europe/Nowhere', '+01:00', 'utc plus one'])
      test(`rejects the time zone ${zone}`, async () => {
        const { status, error } = await edit(await panel.person(), { time_zone: zone })
        assert.deepEqual(
          [status, error.code, error.message],
          [400, 'bad_request', `time_zone: there is no time zone ${zone}`],
        )
      })
  })

  describe('sessions', () => {
    test('ends all but that of the request, with one call', async () => {
      const person = await panel.person()
      const stranger = await panel.person()
      const other = (await signIn(person.email, person.password)).data.access_token
      const { status } = await panel.request('DELETE', '/api/auth/sessions', { as: person })
      assert.deepEqual(
        [status, await isSignedIn(person.token), await isSignedIn(other), await isSignedIn(stranger.token)],
        [200, true, false, true],
      )
    })

    test('lists one’s own, the current one marked, without any token', async () => {
      const person = await panel.person()
      await panel.person()
      await signIn(person.email, person.password)
      const { data, text } = await panel.request('GET', '/api/auth/sessions', { as: person })
      assert.deepEqual(
        data.map(({ is_current }: { is_current: boolean }) => is_current),
        [false, true],
      )
      assert.doesNotMatch(text, /hash|hra_|hrr_/)
    })

    test('shows the address that each was last used from', async () => {
      const person = await panel.person()
      const list = async (ip: string) =>
        (await panel.request('GET', '/api/auth/sessions', { as: person, ip })).data[0].ip
      for (const ip of ['192.0.2.51', '192.0.2.52']) await until(async () => (await list(ip)) === ip)
      await until(async () => (await list('::ffff:192.0.2.53')) === '192.0.2.53') // as a socket for both families shows it
    })

    test('ends another session of one’s own at once, and nobody else’s', async () => {
      const person = await panel.person()
      const victim = await panel.person()
      const other = (await signIn(person.email, person.password)).data.access_token
      const [{ id }] = (await panel.request('GET', '/api/auth/sessions', { as: person })).data
      const end = (as: Person, sessionId: number | string) =>
        panel.request('DELETE', `/api/auth/sessions/${sessionId}`, { as })
      assert.equal((await end(person, id)).status, 200)
      assert.equal(await isSignedIn(other), false)
      const [foreign, missing, wrong] = [
        await end(panel.admin, victim.sessionId),
        await end(person, 999_999),
        await end(person, 'seven'),
      ]
      assert.deepEqual([foreign.status, missing.status, wrong.status], [404, 404, 400])
      assert.ok(await isSignedIn(victim.token))
    })
  })

  test('asks for a credential everywhere but at sign-in and refresh', async () => {
    for (const [method, path] of [
      ['POST', '/logout'],
      ['GET', '/me'],
      ['POST', '/password'],
      ['POST', '/reset-password'],
      ['GET', '/sessions'],
      ['DELETE', '/sessions/1'],
    ] as const) {
      const { status, error, headers } = await panel.request(method, `/api/auth${path}`)
      assert.deepEqual([status, error.code, headers['www-authenticate']], [401, 'unauthorized', 'Bearer'])
    }
  })
})
