import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import type { ScriptedAccount } from '../../host/testing/scripted-host.ts'

/** Each lets its holder act as the user, in the panel or as their Linux account. */
const waysIn = {
  'an API key': ['POST', '/api-keys', { name: 'k' }],
  'a password of the panel': ['PATCH', '', { password: 'another long password' }],
  'a password of SFTP': ['PATCH', '', { sftp_password: 'another long password' }],
  'an SSH key': ['POST', '/ssh-keys', { public_key: 'not looked at' }],
} as const

describe('a caller without sudo', () => {
  let panel: TestPanel
  let keeper: Person
  const accounts = new Map<string, ScriptedAccount>([
    ['plain', { uid: 1000 }],
    ['ruled', { uid: 1001, sudoRule: '(ALL) NOPASSWD: ALL' }],
    ['partly', { uid: 1002, sudoRule: '(www-data) /usr/bin/php' }],
    ['member', { uid: 1003, groups: ['docker'] }],
    ['broken', { uid: 1005 }],
    ['deploy', { uid: 1004, sudoRule: '(ALL) NOPASSWD: ALL' }],
  ])
  const people = new Map<string, Person>()
  const sudoOfBroken = (argv: readonly string[]) =>
    argv[0] === 'sudo' && argv.at(-1) === '--other-user=broken'
      ? { code: 1, stderr: 'sudo: unable to parse /etc/sudoers' }
      : undefined
  before(async () => {
    panel = await openTestPanel({ accounts, scripts: [sudoOfBroken] })
    await panel.host.files.makeDirectory('/usr/bin')
    await panel.host.files.write('/usr/bin/sudo', '')
    keeper = await panel.person({ permissions: ['booting_users_management'] })
    for (const username of ['plain', 'ruled', 'partly', 'member', 'broken'])
      people.set(username, await panel.person({ username }))
  })
  after(() => panel.close())

  const open = (username: string, way: keyof typeof waysIn, as: Person) => {
    const [method, path, body] = waysIn[way]
    return panel.request(method, `/api/users/${people.get(username)?.id}${path}`, { as, body })
  }

  for (const way of Object.keys(waysIn) as (keyof typeof waysIn)[])
    for (const [username, reason] of [
      ['ruled', /may run commands with sudo/],
      ['partly', /may run commands with sudo/],
      ['member', /is a member of docker/],
      ['broken', /has rights that cannot be read \(sudo: sudo: unable to parse/],
    ] as const)
      test(`sets no ${way.replace(/^an? /, '')} of ${username}, whose account may do more`, async () => {
        const { status, error } = await open(username, way, keeper)
        assert.deepEqual([status, error.code], [403, 'forbidden'])
        assert.match(error.message, reason)
      })

  test('sets a key and a password of an ordinary account; a superuser of any', async () => {
    for (const way of ['an API key', 'a password of the panel'] as const) {
      assert.equal((await open('plain', way, keeper)).status, 200, way)
      assert.equal((await open('ruled', way, panel.admin)).status, 200, way)
    }
  })

  test('registers no account that a rule of sudoers lets act as root', async () => {
    await panel.host.files.makeDirectory('/home/deploy', { uid: 1004, gid: 1004, mode: 0o700 })
    const body = { username: 'deploy', email: 'd@example.com', password: 'a long password', fullname: 'D' }
    const register = (as: Person) => panel.request('POST', '/api/users/register-existing', { as, body })
    const { status, error } = await register(keeper)
    assert.deepEqual(
      [status, error.message],
      [403, 'username: deploy may run commands with sudo: only a superuser may register the account'],
    )
    assert.equal((await register(panel.admin)).status, 201)
  })
})
