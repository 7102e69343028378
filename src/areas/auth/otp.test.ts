import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import { removeSecondFactor } from './otp.ts'
import { keyOf } from './testing/secret-key.ts'
import { codeOf, counterAt } from './totp.ts'

describe('one-time codes', () => {
  let panel: TestPanel
  let addresses = 0
  before(async () => {
    panel = await openTestPanel()
    await panel.start() // a user is deleted by a job
  })
  after(() => panel.close())

  const freshIp = () => `198.51.100.${(addresses += 1)}`
  const post = (as: Person, path: string, body: object) =>
    panel.request('POST', `/api/auth/otp/${path}`, { as, body, ip: freshIp() })
  const read = async (as: Person) => (await panel.request('GET', '/api/auth/otp', { as })).data
  const signIn = ({ email, password }: Person, otp?: string) =>
    panel.request('POST', '/api/auth/login', {
      ip: freshIp(),
      body: { email, password, ...(otp !== undefined && { otp }) },
    })

  const setUp = async (person: Person) => {
    const { data } = await post(person, 'setup', { password: person.password })
    const now = counterAt(new Date())
    // a test may begin at the end of a step: the code of the step after is accepted now and in the next step
    return { ...data, first: codeOf(keyOf(data.secret), now), second: codeOf(keyOf(data.secret), now + 1) }
  }
  const enabled = async () => {
    const person = await panel.person()
    const codes = await setUp(person)
    const { data } = await post(person, 'enable', { otp: codes.first })
    return { person, ...codes, recovery: data.recovery_codes as string[] }
  }
  const wrong = (code: string) => String((Number(code) + 500_000) % 1_000_000).padStart(6, '0')

  test('are not asked for between setup and the first code', async () => {
    const person = await panel.person()
    assert.deepEqual(await read(person), { is_enabled: false, recovery_codes: 0 })
    const { secret, url } = await setUp(person)
    assert.match(secret, /^[A-Z2-7]{32}$/)
    const { protocol, host, searchParams } = new URL(url)
    assert.deepEqual([protocol, host, searchParams.get('secret')], ['otpauth:', 'totp', secret])
    assert.equal((await signIn(person)).status, 200)
    assert.equal((await read(person)).is_enabled, false)
  })

  test('are asked for at sign-in once enabled, and each signs in once', async () => {
    const { person, second } = await enabled()
    assert.deepEqual(await read(person), { is_enabled: true, recovery_codes: 10 })
    for (const missing of [await signIn(person), await signIn(person, '')])
      assert.deepEqual([missing.status, missing.error.code], [401, 'otp_required'])
    assert.equal((await signIn(person, `${second.slice(0, 3)} ${second.slice(3)}`)).status, 200)
    const again = await signIn(person, second)
    assert.deepEqual([again.status, again.error.code], [401, 'unauthorized'])
    assert.equal(again.error.message, 'The code is wrong, or was used before')
  })

  test('are asked for only where the password is right', async () => {
    const { person, second } = await enabled()
    for (const otp of [undefined, second]) {
      const { error } = await signIn({ ...person, password: 'a wrong password' }, otp)
      assert.deepEqual(
        [error.code, error.message],
        ['unauthorized', 'The e-mail address or the password is wrong'],
      )
    }
  })

  test('sign in one of several simultaneous requests with the same code', async () => {
    const { person, second } = await enabled()
    const answers = await Promise.all([
      signIn(person, second),
      signIn(person, second),
      signIn(person, second),
    ])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401])
  })

  test('are replaced by recovery codes, each of which signs in once, in any case and with or without its hyphen', async () => {
    const { person, recovery } = await enabled()
    const [first, other] = recovery as [string, string]
    assert.match(first, /^[a-z2-7]{5}-[a-z2-7]{5}$/)
    assert.equal(new Set(recovery).size, 10)
    assert.equal((await signIn(person, first)).status, 200)
    assert.equal((await signIn(person, first)).status, 401)
    assert.equal((await signIn(person, other.replace('-', '').toUpperCase())).status, 200)
    assert.equal((await read(person)).recovery_codes, 8)
  })

  test('of one user, and their recovery codes, do not sign another one in', async () => {
    const [one, other] = [await enabled(), await enabled()]
    for (const code of [other.second, other.recovery[0]])
      assert.equal((await signIn(one.person, code)).status, 401)
    assert.equal((await read(other.person)).recovery_codes, 10)
  })

  test('are enabled only by the code of the setup, and set up only with the password', async () => {
    const person = await panel.person()
    const early = await post(person, 'enable', { otp: '123456' })
    assert.deepEqual([early.status, early.error.code], [409, 'conflict'])
    const stranger = await post(person, 'setup', { password: 'a wrong password' })
    assert.deepEqual([stranger.status, stranger.error.message], [400, 'password: is wrong'])
    const { first } = await setUp(person)
    const refused = await post(person, 'enable', { otp: wrong(first) })
    assert.deepEqual([refused.status, refused.error.code], [400, 'bad_request'])
    assert.match(refused.error.message, /^otp: is not the current code/)
    assert.equal((await read(person)).is_enabled, false)
    assert.equal((await post(person, 'enable', { otp: first })).status, 200)
    for (const [path, body] of [
      ['setup', { password: person.password }],
      ['enable', { otp: first }],
    ] as const)
      assert.deepEqual((await post(person, path, body)).error.code, 'conflict')
  })

  test('are disabled with the password and a code, and the recovery codes end with them', async () => {
    const { person, second, recovery } = await enabled()
    const refusals = [
      await post(person, 'disable', { password: 'a wrong password', otp: second }),
      await post(person, 'disable', { password: person.password, otp: wrong(second) }),
    ]
    for (const { status, error } of refusals) assert.deepEqual([status, error.code], [400, 'bad_request'])
    assert.equal((await signIn(person)).error.code, 'otp_required')
    const done = await post(person, 'disable', { password: person.password, otp: recovery[3] })
    assert.equal(done.status, 200)
    assert.equal((await signIn(person)).status, 200)
    assert.deepEqual(await read(person), { is_enabled: false, recovery_codes: 0 })
    const again = await post(person, 'disable', { password: person.password, otp: second })
    assert.deepEqual([again.status, again.error.code], [409, 'conflict'])
  })

  test('tell their user of a code that was wrong where the password was right, of a used recovery code, and of a second factor that is gone', async () => {
    const { person, recovery } = await enabled()
    const other = await enabled()
    const titles = async (as: Person): Promise<readonly string[]> =>
      (await panel.request('GET', '/api/notifications?kind=factor_changed', { as })).data.items.map(
        ({ title }: { title: string }) => title,
      )
    assert.equal((await signIn({ ...person, password: 'a wrong password' }, '000000')).status, 401)
    assert.equal((await signIn(other.person, wrong(other.second))).status, 401)
    await until(async () => (await titles(other.person))[0]?.startsWith('Somebody knows your password'))
    assert.equal((await signIn(person, recovery[0])).status, 200)
    await until(async () => (await titles(person)).includes('A recovery code of yours was used'))
    await post(person, 'disable', { password: person.password, otp: recovery[1] })
    await until(async () => (await titles(person)).includes('Your second factor was disabled'))
    await post(panel.admin, 'reset', { email: other.person.email })
    await until(async () => (await titles(other.person))[0]?.startsWith('A superuser removed'))
    assert.equal((await titles(person)).length, 2)
  })

  test('are refused after ten wrong ones, whatever their addresses, also the right one', async () => {
    const { person, second } = await enabled()
    for (let attempt = 0; attempt < 10; attempt++)
      assert.equal((await signIn(person, wrong(second))).status, 401)
    const { status, error, headers } = await signIn(person, second)
    assert.deepEqual([status, error.code], [429, 'rate_limited'])
    assert.ok(Number(headers['retry-after']) > 0 && Number(headers['retry-after']) <= 900)
    const disabling = await post(person, 'disable', { password: person.password, otp: second })
    assert.equal(disabling.status, 429)
  })

  test('have recovery codes that the password and a code replace', async () => {
    const { person, second, recovery } = await enabled()
    const [first, other] = recovery as [string, string]
    for (const body of [
      { password: 'a wrong password', otp: first },
      { password: person.password, otp: wrong(second) },
    ])
      assert.equal((await post(person, 'recovery-codes', body)).status, 400)
    const { data } = await post(person, 'recovery-codes', { password: person.password, otp: first })
    assert.equal(new Set([...recovery, ...data.recovery_codes]).size, 20)
    assert.equal((await signIn(person, other)).status, 401)
    assert.equal((await signIn(person, data.recovery_codes[0])).status, 200)
    assert.deepEqual(await read(person), { is_enabled: true, recovery_codes: 9 })
  })

  test('are removed by a superuser, but not their own and by no one else', async () => {
    const { person } = await enabled()
    const reset = (as: Person, email: string) => post(as, 'reset', { email })
    assert.equal((await reset(person, person.email)).status, 403)
    assert.equal((await reset(panel.admin, panel.admin.email)).error.code, 'forbidden')
    assert.equal((await reset(panel.admin, 'nobody@example.com')).status, 404)
    assert.equal((await signIn(person)).error.code, 'otp_required')
    assert.equal((await reset(panel.admin, person.email)).status, 200)
    assert.equal((await signIn(person)).status, 200)
    assert.deepEqual(await read(person), { is_enabled: false, recovery_codes: 0 })
    assert.equal((await reset(panel.admin, person.email)).error.code, 'conflict')
  })

  test('end with their user', async () => {
    const { person } = await enabled()
    const remove = (query: string) =>
      panel.request('DELETE', `/api/users/${person.id}${query}`, { as: panel.admin })
    assert.ok((await remove('?plan=1')).data.details.includes('The second factor is deleted'))
    assert.equal((await remove('')).status, 200)
    for (const table of ['otp_factors', 'recovery_codes'] as const) {
      const left = await panel.store.db
        .selectFrom(table)
        .selectAll()
        .where('user_id', '=', person.id)
        .execute()
      assert.deepEqual(left, [])
    }
  })

  test('limit the codes that are tried to enable them', async () => {
    const person = await panel.person()
    const { first } = await setUp(person)
    for (let attempt = 0; attempt < 10; attempt++) await post(person, 'enable', { otp: wrong(first) })
    assert.equal((await post(person, 'enable', { otp: first })).error.code, 'rate_limited')
  })

  test('do not count sign-ins without a code as failures', async () => {
    const { person, second } = await enabled()
    for (let attempt = 0; attempt < 12; attempt++) await signIn(person)
    assert.equal((await signIn(person, second)).status, 200)
  })

  test('keep sealed what they are made from, and leave no code in the activity or the log', async () => {
    const { person, secret, second, recovery } = await enabled()
    await signIn(person, second)
    const tables = ['otp_factors', 'recovery_codes', 'activity', 'changes'] as const
    const stored = await Promise.all(
      tables.map((each) =>
        panel.store.db
          .selectFrom(each as never)
          .selectAll()
          .execute(),
      ),
    )
    const text = JSON.stringify([stored, panel.log])
    for (const one of [secret, keyOf(secret).toString('base64url'), second, recovery[0] as string])
      assert.equal(text.includes(one), false)
  })

  test('are planned without being used', async () => {
    const { person, second } = await enabled()
    const plan = await panel.request('POST', '/api/auth/login?plan=1', {
      ip: freshIp(),
      body: { email: person.email, password: person.password, otp: second },
    })
    assert.equal(plan.status, 200)
    assert.equal((await signIn(person, second)).status, 200)
  })

  for (const [what, path, body, field] of [
    ['no password', 'setup', {}, 'password'],
    ['a password that is no text', 'setup', { password: 7 }, 'password'],
    ['no code', 'enable', {}, 'otp'],
    ['a code of three digits', 'enable', { otp: '123' }, 'otp'],
    ['a code of 10,000 digits', 'enable', { otp: '1'.repeat(10_000) }, 'otp'],
    ['a code without the password', 'disable', { otp: '123456' }, 'password'],
  ] as const)
    test(`refuse ${what}, naming the field`, async () => {
      const { status, error } = await post(await panel.person(), path, body)
      assert.deepEqual([status, error.code], [400, 'bad_request'])
      assert.match(error.message, new RegExp(`^${field}: `))
    })

  test('need a signed-in user', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/setup'],
      ['POST', '/enable'],
      ['POST', '/disable'],
      ['POST', '/recovery-codes'],
      ['POST', '/reset'],
    ] as const)
      assert.equal((await panel.request(method, `/api/auth/otp${path}`)).status, 401)
  })

  test('stay enabled when a superuser resets the password', async () => {
    const { person } = await enabled()
    const body = { email: person.email, password: 'a password from above' }
    await panel.request('POST', '/api/auth/reset-password', { as: panel.admin, body })
    assert.equal((await signIn({ ...person, password: body.password })).error.code, 'otp_required')
  })

  test('are removed on the host where no panel runs, from users who have them', async () => {
    const { person } = await enabled()
    assert.equal(await removeSecondFactor(panel.auth, person.email.toUpperCase()), true)
    assert.equal((await signIn(person)).status, 200)
    await assert.rejects(
      removeSecondFactor(panel.auth, person.email),
      /has no second factor and no passkeys$/,
    )
    assert.equal(await removeSecondFactor(panel.auth, 'nobody@example.com'), false)
  })
})
