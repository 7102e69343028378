import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import type { ScriptedAccount } from '../../host/testing/scripted-host.ts'

describe(
  'registering existing accounts',
  { skip: process.getuid?.() !== 0 && 'only root can give homes away' },
  () => {
    let panel: TestPanel
    let keeper: Person
    const accounts = new Map<string, ScriptedAccount>([
      ['dora', { uid: 1000 }],
      ['emil', { uid: 1001 }],
      ['oper', { uid: 1002, groups: ['sudo', 'adm'] }],
      ['daemon', { uid: 1 }],
      ['nobody', { uid: 65_534 }],
      ['webdir', { uid: 1003, home: '/var/www' }],
      ['rootdir', { uid: 1004, home: '/' }],
      ['within', { uid: 1005, home: '/home/dora/within' }],
      ['dotted', { uid: 1006, home: '/home/../etc' }],
      ['foreign', { uid: 1007 }],
      ['homeless', { uid: 1008 }],
      ['twin', { uid: 1009, home: '/home/shared' }],
      ['brother', { uid: 1009, home: '/home/shared' }],
    ])
    before(async () => {
      panel = await openTestPanel({ accounts })
      keeper = await panel.person({ permissions: ['booting_users_management', 'websites_management'] })
      for (const [name, { uid, home = `/home/${name}` }] of accounts)
        if (home !== '/' && name !== 'homeless')
          await panel.host.files.makeDirectory(home, {
            uid: name === 'foreign' ? 0 : uid,
            gid: uid,
            mode: 0o700,
          })
    })
    after(() => panel.close())

    const register = (username: unknown, as = panel.admin, more: object = {}) =>
      panel.request('POST', '/api/users/register-existing', {
        as,
        body: {
          username,
          email: `${String(username).slice(0, 9)}@example.com`,
          password: 'a long password',
          fullname: 'X',
          ...more,
        },
      })

    test('creates a user who owns the account, and lets the web server into the home', async () => {
      const { status, data } = await register('emil', keeper, { permissions: ['websites_management'] })
      assert.deepEqual([status, data.username, data.email], [201, 'emil', 'emil@example.com'])
      const facts = await panel.host.files.facts('/home/emil')
      assert.deepEqual([facts?.mode, facts?.gid, facts?.uid], [0o710, 33, 1001])
      const held = await panel.request('GET', `/api/users/${data.id}/permissions`, { as: panel.admin })
      assert.deepEqual(held.data, ['websites_management'])
      assert.equal((await register('emil', keeper)).error.code, 'bad_request')
    })

    test('refuses accounts of the system, unknown ones and those whose home is not theirs alone', async () => {
      const unsuitable = [...accounts.keys()].filter((name) => !['emil', 'oper'].includes(name))
      for (const name of [...unsuitable, 'ghost', '-x', 'a\nb', 'A'.repeat(10_000), 5]) {
        const { status, error } = await register(name)
        assert.deepEqual([status, error.code], [400, 'bad_request'], String(name).slice(0, 20))
      }
    })

    test('registers an account with further groups for superusers only, and no superuser for others', async () => {
      const refused = await register('oper', keeper)
      assert.deepEqual([refused.status, refused.error.code], [403, 'forbidden'])
      assert.equal((await register('oper', keeper, { is_admin: true })).status, 403)
      assert.equal((await register('oper')).status, 201)
    })
  },
)
