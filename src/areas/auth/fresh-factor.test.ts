import assert from 'node:assert/strict'
import { after, before, describe, mock, test, type TestContext } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { keyOf } from './testing/secret-key.ts'
import { codeOf, counterAt } from './totp.ts'
import { updateRow } from '../../store/rows.ts'

const minute = 60_000

describe('a fresh second factor', () => {
  let panel: TestPanel
  let off: TestPanel
  before(async () => {
    panel = await openTestPanel({ environment: { HOSTREEVE_FRESH_FACTOR_MINUTES: '10' } })
    off = await openTestPanel()
  })
  after(async () => {
    await panel.close()
    await off.close()
  })

  /** A user with a second factor, whose recovery codes confirm it. */
  const withFactor = async (on: TestPanel = panel) => {
    const person = await on.person({ permissions: ['terminal_access'] })
    const { data } = await on.request('POST', '/api/auth/otp/setup', {
      as: person,
      body: { password: person.password },
    })
    const otp = codeOf(keyOf(data.secret), counterAt(new Date()))
    const enabled = await on.request('POST', '/api/auth/otp/enable', { as: person, body: { otp } })
    return { person, codes: enabled.data.recovery_codes as string[] }
  }
  const destroy = (as: Person | string, on: TestPanel = panel, query = '') =>
    on.request('DELETE', `/api/auth/sessions${query}`, { as })
  const socketToken = (as: Person) =>
    panel.request('POST', '/api/auth/socket-token', { as, body: { purpose: 'terminal', user_id: as.id } })
  const confirm = (as: Person | string, otp: string) =>
    panel.request('POST', '/api/auth/otp/confirm', { as, body: { otp } })
  const isRefused = ({
    status,
    error,
  }: {
    readonly status: number
    readonly error: { readonly code: string }
  }) => status === 403 && error.code === 'factor_required'

  test('is asked for by what changes the access of somebody, and not by its plan', async (t) => {
    const { person, codes } = await withFactor()
    const makeKey = (query = '') =>
      panel.request('POST', `/api/auth/api-keys${query}`, { as: person, body: { name: 'k' } })
    later(t, 11 * minute)
    assert.ok(isRefused(await makeKey()))
    assert.equal((await makeKey('?plan=1')).status, 200)
    assert.equal((await confirm(person, codes[0] ?? '')).status, 200)
    assert.equal((await makeKey()).status, 200)
  })

  test('is asked for once the last code is older than the setting, and confirmed by another', async (t) => {
    const { person, codes } = await withFactor()
    assert.equal((await destroy(person)).status, 200, 'the code that enabled it is fresh')
    later(t, 11 * minute)
    assert.ok(isRefused(await destroy(person)))
    assert.ok(isRefused(await socketToken(person)))
    assert.equal((await destroy(person, panel, '?plan=1')).status, 200, 'a plan destroys nothing')
    assert.equal(
      (await panel.request('PATCH', '/api/auth/me', { as: person, body: { fullname: 'Ada' } })).status,
      200,
    )
    assert.equal((await confirm(person, codes[0] ?? '')).status, 200)
    assert.equal((await destroy(person)).status, 200)
    assert.equal((await socketToken(person)).status, 200)
    assert.equal((await confirm(person, codes[0] ?? '')).error.code, 'bad_request', 'each code confirms once')
  })

  test('is of one session: another one of the same user is asked for its own', async (t) => {
    const { person, codes } = await withFactor()
    const { email, password } = person
    const body = { email, password, otp: codes[0] }
    const signedIn = await panel.request('POST', '/api/auth/login', { body, ip: '198.51.100.200' })
    const other: string = signedIn.data.access_token
    later(t, 11 * minute)
    await confirm(person, codes[1] ?? '')
    assert.ok(isRefused(await destroy(other)))
    assert.equal((await confirm(other, codes[2] ?? '')).status, 200)
    assert.equal((await destroy(other)).status, 200)
  })

  test('is not asked for where the setting is off, of users without a factor, and of keys', async (t) => {
    const plain = await panel.person()
    const { person } = await withFactor()
    const { person: unasked } = await withFactor(off)
    const created = await panel.request('POST', '/api/auth/api-keys', { as: person, body: { name: 'robot' } })
    later(t, 11 * minute)
    assert.equal((await destroy(plain)).status, 200)
    assert.equal((await destroy(unasked, off)).status, 200)
    const key: string = created.data.key
    assert.equal((await destroy(key)).status, 200)
    assert.equal((await confirm(key, '123456')).error.code, 'forbidden')
    assert.equal((await confirm(plain, '123456')).error.code, 'conflict')
  })

  test('is not fresh in the future, as after a clock that was ahead', async () => {
    const { person } = await withFactor()
    const proved_at = new Date(Date.now() + 60 * minute).toISOString()
    await panel.store.transaction((tx) =>
      panel.store.write(tx, [updateRow('sessions', { id: person.sessionId }, { proved_at })]),
    )
    assert.ok(isRefused(await destroy(person)))
  })

  test('is not confirmed by bad input', async () => {
    const { person } = await withFactor()
    for (const otp of ['', '1', 'x'.repeat(21), 5, null]) {
      const body = { otp }
      const { status, error } = await panel.request('POST', '/api/auth/otp/confirm', { as: person, body })
      assert.deepEqual([status, error.code], [400, 'bad_request'])
    }
    assert.equal(
      (await panel.request('POST', '/api/auth/otp/confirm', { body: { otp: '123456' } })).status,
      401,
    )
    assert.equal((await confirm(person, '00000000')).error.code, 'bad_request')
  })
})

/** Access tokens of tests live longer than the time that is passed. */
function later(t: TestContext, ms: number): void {
  mock.timers.enable({ apis: ['Date'], now: Date.now() + ms })
  t.after(() => mock.timers.reset())
}
