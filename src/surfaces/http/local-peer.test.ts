import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'

describe('the accounts of this host, which all connect over loopback', () => {
  let panel: TestPanel
  let uid: number | undefined
  before(async () => {
    panel = await openTestPanel({ trustedProxies: ['127.0.0.1'], peerUid: async () => uid })
  })
  after(() => panel.close())

  /** Returns the address that a request with the header of a proxy is recorded under. */
  const addressOf = async (as: number | undefined): Promise<string> => {
    uid = as
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    const { token } = await panel.person()
    const { data } = await panel.request('GET', '/api/auth/sessions', { as: token, headers, ip: '127.0.0.1' })
    return data.find((each: any) => each.is_current).ip
  }
  const signIn = ({ email, password }: { readonly email: string; readonly password: string }) =>
    panel.request('POST', '/api/auth/login', { body: { email, password }, ip: '127.0.0.1' })

  it('are believed as a proxy if they belong to the system, and no hosting user is', async () => {
    for (const [as, ip] of [
      [0, '203.0.113.9'],
      [33, '203.0.113.9'],
      [1000, '127.0.0.1'],
      [undefined, '127.0.0.1'],
    ] as const)
      assert.equal(await addressOf(as), ip, String(as))
  })

  it('use up only their own attempts to sign in', async () => {
    uid = 1001
    const person = await panel.person()
    const wrong = { ...person, password: 'a wrong password' }
    for (let attempt = 0; attempt < 10; attempt++) assert.equal((await signIn(wrong)).status, 401)
    assert.equal((await signIn(person)).status, 429)
    uid = 0
    assert.equal((await signIn(person)).status, 200)
  })

  it('keep nobody from learning that a token has expired', async () => {
    const ask = async (ip: string) =>
      (await panel.request('GET', '/api/auth/me', { as: 'expired', ip })).status
    const statuses = async (ip: string) => [
      ...new Set(await Promise.all(Array.from({ length: 61 }, () => ask(ip)))),
    ]
    assert.deepEqual(await statuses('127.0.0.1'), [401])
    assert.deepEqual((await statuses('192.0.2.61')).toSorted(), [401, 429])
  })

  it('keep nobody from a refresh by wrong tokens', async () => {
    const refresh = (refresh_token: string) =>
      panel.request('POST', '/api/auth/refresh', { body: { refresh_token }, ip: '127.0.0.1' })
    uid = undefined
    const { data } = await signIn(await panel.person())
    for (let attempt = 0; attempt < 61; attempt++) assert.notEqual((await refresh('hrr_wrong')).status, 200)
    assert.equal((await refresh('hrr_wrong')).status, 429)
    assert.equal((await refresh(data.refresh_token)).status, 200)
  })
})
