import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import type { ScriptedAccount } from '../../host/testing/scripted-host.ts'

describe('sudo of accounts', { skip: process.getuid?.() !== 0 && 'only root can give files to root' }, () => {
  let panel: TestPanel
  let ada: Person
  let keeper: Person
  let isRejected = false
  const accounts = new Map<string, ScriptedAccount>([
    ['ada', { uid: 1000 }],
    ['boss', { uid: 1001 }],
    ['nobodys', { uid: 1002 }],
    ['daemon', { uid: 1 }],
  ])
  const members = new Set<string>()
  const script = (argv: readonly string[]) => {
    if (argv[0] === 'visudo') return isRejected ? { code: 1, stderr: 'syntax error' } : {}
    if (argv[0] === 'gpasswd') {
      const [, verb, name = ''] = argv
      if (verb === '--add') members.add(name)
      else members.delete(name)
      return {}
    }
    if (argv[0] === 'getent' && argv.at(-1) === 'sudo') return { stdout: `sudo:x:27:${[...members]}\n` }
    return undefined
  }
  before(async () => {
    panel = await openTestPanel({ accounts, scripts: [script] })
    await panel.host.files.makeDirectory('/etc/sudoers.d')
    await panel.host.files.write('/etc/sudoers', '@includedir /etc/sudoers.d\n')
    ada = await panel.person({ username: 'ada' })
    await panel.person({ username: 'boss', isAdmin: true })
    keeper = await panel.person({ permissions: ['booting_users_management'] })
  })
  after(() => panel.close())

  const set = (body: unknown, as = panel.admin) =>
    panel.request('POST', `/api/users/${ada.id}/sudo`, { as, body })
  const read = async (uid: number | string) =>
    panel.request('GET', `/api/users/${uid}/sudo`, { as: panel.admin })

  test('is switched on and off for the account of the body, and read by id or name', async () => {
    assert.deepEqual((await read(ada.id)).data, { sudo: false })
    const answer = await set({ username: 'ada', sudo: true })
    assert.deepEqual([answer.status, answer.data], [200, { success: true }])
    const entry = await panel.host.files.read('/etc/sudoers.d/hostreeve-ada')
    assert.match(entry ?? '', /^ada ALL=\(ALL:ALL\) NOPASSWD: ALL$/m)
    assert.deepEqual(
      [(await panel.host.files.facts('/etc/sudoers.d/hostreeve-ada'))?.mode, [...members]],
      [0o440, ['ada']],
    )
    assert.deepEqual([(await read(ada.id)).data, (await read('ada')).data], [{ sudo: true }, { sudo: true }])
    assert.equal((await set({ username: 'ada' })).status, 200)
    assert.deepEqual([(await read('ada')).data, [...members]], [{ sudo: false }, []])
  })

  test('ends the keys that others made for the user of the account, as the plan says', async () => {
    const make = async (as: Person, path: string): Promise<string> =>
      (await panel.request('POST', path, { as, body: { name: 'k' } })).data.key
    const planted = await make(keeper, `/api/users/${ada.id}/api-keys`)
    const own = await make(ada, '/api/auth/api-keys')
    const works = async () =>
      Promise.all(
        [planted, own].map(async (as) => (await panel.request('GET', '/api/auth/me', { as })).status === 200),
      )
    const body = { username: 'ada', sudo: true }
    const plan = await panel.request('POST', `/api/users/${ada.id}/sudo?plan=1`, { as: panel.admin, body })
    assert.deepEqual(plan.data.details, [
      'The API key k, which another user made, is deleted',
      '1 API key stays valid',
    ])
    assert.deepEqual(await works(), [true, true])
    assert.equal((await set(body)).status, 200)
    assert.deepEqual(await works(), [false, true])
    assert.equal((await set({ username: 'ada' })).status, 200)
  })

  test('answers write_failed with the message of visudo, and leaves nothing', async () => {
    isRejected = true
    const { status, error } = await set({ username: 'ada', sudo: true })
    isRejected = false
    assert.deepEqual([status, error.code], [500, 'write_failed'])
    assert.match(error.message, /^visudo: syntax error/)
    assert.deepEqual([(await read('ada')).data, [...members]], [{ sudo: false }, []])
    assert.deepEqual(await panel.host.files.list('/etc/sudoers.d'), [])
  })

  test('is switched on by superusers only; others switch it off for those whom they may change', async () => {
    for (const [body, status] of [
      [{ username: 'ada', sudo: true }, 403],
      [{ username: 'boss' }, 403],
      [{ username: 'nobodys' }, 403],
      [{ username: 'ada' }, 200],
    ] as const)
      assert.equal((await set(body, keeper)).status, status, JSON.stringify(body))
  })

  test('refuses names that are none, accounts of the system and unknown ones', async () => {
    for (const username of [
      '-ada',
      'ada\n',
      'ada\0',
      'a'.repeat(10_000),
      'a.b',
      'ada ALL',
      '',
      'daemon',
      7,
      null,
    ])
      assert.deepEqual(
        [(await set({ username, sudo: true })).status, (await set({ username, sudo: true })).error.code],
        [400, 'bad_request'],
        String(username).slice(0, 20),
      )
    assert.equal((await set({ username: 'ada', sudo: 'yes' })).error.code, 'bad_request')
    assert.equal((await set({ username: 'ghost', sudo: true })).error.code, 'not_found')
    const path = '/api/users/ada/sudo'
    const byName = await panel.request('POST', path, { as: panel.admin, body: { username: 'ada' } })
    assert.equal(byName.error.code, 'bad_request')
    for (const uid of ['ghost', 999_999, keeper.id]) assert.equal((await read(uid)).error.code, 'not_found')
    for (const uid of ['-ada', 'a.b', 'ada%0A']) assert.equal((await read(uid)).error.code, 'bad_request')
  })
})
