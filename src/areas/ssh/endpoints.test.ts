import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import type { ScriptedAccount } from '../../host/testing/scripted-host.ts'
import { madeKeys } from '../../tools/openssh/testing/keys.ts'

const { ed25519, rsa1024, dsa } = madeKeys

describe('the SSH keys of a user', () => {
  let panel: TestPanel
  let ada: Person
  let bob: Person
  let keeper: Person
  const accounts = new Map<string, ScriptedAccount>([
    ['ada', { uid: 1001 }],
    ['daemon', { uid: 1 }],
  ])
  before(async () => {
    panel = await openTestPanel({ accounts })
    ada = await panel.person({ username: 'ada' })
    bob = await panel.person({ permissions: ['websites_management'] })
    keeper = await panel.person({ permissions: ['booting_users_management'] })
  })
  after(() => panel.close())

  const id = 'A'.repeat(43)
  const ask = (method: string, uid: number, as: Person | undefined, body?: unknown) =>
    panel.request(method, `/api/users/${uid}/ssh-keys${method === 'DELETE' ? `/${id}` : ''}`, {
      ...(as && { as }),
      ...(method === 'POST' && { body: body ?? { public_key: ed25519.line } }),
    })
  const add = (public_key: unknown) => ask('POST', ada.id, ada, { public_key })

  it('are refused to callers without a credential, and to other users', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      assert.deepEqual((await ask(method, ada.id, undefined)).status, 401, method)
      const { status, error } = await ask(method, ada.id, bob)
      assert.deepEqual([status, error.code], [403, 'forbidden'], method)
      assert.match(error.message, /^uid: .*your own SSH keys only/)
    }
  })

  it('are added for others only by a caller who has all that a key gives', async () => {
    const refusals: [Person, RegExp][] = []
    const root = await panel.person({ username: 'ada2', isAdmin: true })
    const site = await panel.person({ username: 'ada3', permissions: ['websites_management'] })
    const member = await panel.person({ username: 'ada4' })
    for (const name of ['ada2', 'ada3']) accounts.set(name, { uid: 1010 })
    accounts.set('ada4', { uid: 1011, groups: ['docker'] })
    refusals.push([root, /Only a superuser may change a superuser/])
    refusals.push([site, /websites_management, which you do not have: a key would give it to you/])
    refusals.push([member, /is a member of docker, so only a superuser may set a key/])
    for (const [user, message] of refusals) {
      const { status, error } = await ask('POST', user.id, keeper)
      assert.deepEqual([status, error.code], [403, 'forbidden'])
      assert.match(error.message, message)
    }
    assert.equal((await ask('DELETE', root.id, keeper)).status, 403)
  })

  it('need a Linux account that is an ordinary one', async () => {
    const daemon = await panel.person({ username: 'daemon' })
    for (const [user, message] of [
      [bob, /has no Linux account, which SSH needs/],
      [daemon, /daemon of .* is not an ordinary account/],
    ] as const)
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { status, error } = await ask(method, user.id, panel.admin)
        assert.deepEqual([status, error.code], [400, 'bad_request'], method)
        assert.match(error.message, message)
      }
  })

  it('belong to a user who exists, and have the id of the list', async () => {
    for (const method of ['GET', 'POST', 'DELETE'])
      assert.equal((await ask(method, 999_999, panel.admin)).error.code, 'not_found')
    for (const each of ['1', `${id}A`, 'SHA256']) {
      const { status, error } = await panel.request('DELETE', `/api/users/${ada.id}/ssh-keys/${each}`, {
        as: ada,
      })
      assert.deepEqual([status, error.code], [400, 'bad_request'])
      assert.match(error.message, /^id: must be the id of a key/)
    }
  })

  it('are refused with the field and what would be right', async () => {
    for (const key of ['x'.repeat(16_385), 'x'.repeat(1024 * 1024), 5, null, undefined]) {
      const { status, error } = await add(key)
      assert.deepEqual([status, error.code], [400, 'bad_request'])
      assert.match(error.message, /^public_key: /)
    }
    for (const [key, message] of [
      [rsa1024.line, /^public_key: is an RSA key of 1024 bits/],
      [dsa.line, /^public_key: is a DSA key/],
      [`command="sh" ${ed25519.line}`, /^public_key: begins with options/],
      [`${ed25519.line}\n${ed25519.line}`, /^public_key: has several lines/],
      ['-----BEGIN OPENSSH PRIVATE KEY-----', /^public_key: is a private key/],
      ['hello', /^public_key: is of an unknown type/],
    ] as const) {
      const { status, error } = await add(key)
      assert.deepEqual([status, error.code], [400, 'bad_request'])
      assert.match(error.message, message)
    }
  })

  it('that were pasted by mistake are not recorded', async () => {
    await add('-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0LXBhcnQ')
    const { text } = await panel.request('GET', '/api/activity?limit=100', { as: panel.admin })
    assert.doesNotMatch(text, /c2VjcmV0LXBhcnQ/)
    assert.doesNotMatch(JSON.stringify(panel.log), /c2VjcmV0LXBhcnQ/)
  })
})
