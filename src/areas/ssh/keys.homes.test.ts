import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { asOwner, type Bench, makeBench, skip } from '../../host/owner/testing/homes.ts'
import type { Script } from '../../host/testing/scripted-run.ts'
import { ownerProblems } from '../../host/owner/index.ts'
import { madeKeys } from '../../tools/openssh/testing/keys.ts'
import { type OpenSession, sshdHost } from '../../tools/openssh/testing/sshd-host.ts'

const { ed25519, rsa2048 } = madeKeys

const strictSshd: Script = ([program, verb]) => {
  if (program === 'sshd' && verb === '-T') return { stdout: 'strictmodes yes\nallowgroups ssh-users\n' }
  return program === 'getent' && verb === 'group' ? { stdout: 'ada:x:1001:\n' } : undefined
}

describe('the SSH keys in a home', { skip }, () => {
  let bench: Bench
  let panel: TestPanel
  let ada: Person
  let sshd = sshdHost([])
  before(async () => {
    bench = makeBench()
    const { uid, home } = bench.alice
    panel = await openTestPanel({
      accounts: new Map([['ada', { uid, home }]]),
      scripts: [(argv, options) => sshd.script(argv, options), strictSshd],
    })
    ada = await panel.person({ username: 'ada' })
  })
  after(async () => {
    await panel?.close()
    await bench?.remove()
  })
  beforeEach(() => {
    asOwner(bench.alice, 'rm', '-rf', '.ssh')
    sshd = sshdHost([])
  })

  const path = () => `/api/users/${ada.id}/ssh-keys`
  const add = (public_key: string, as = ada) => panel.request('POST', path(), { as, body: { public_key } })
  const remove = (id: string) => panel.request('DELETE', `${path()}/${id}`, { as: ada })
  const keys = async () => (await panel.request('GET', path(), { as: ada })).data.keys
  const content = () => readFileSync(join(bench.alice.home, '.ssh/authorized_keys'), 'utf8')
  const openSession = (session: Partial<OpenSession> = {}) =>
    (sshd = sshdHost([{ pid: 20, username: 'ada', fingerprint: ed25519.fingerprint, ...session }]))

  it('are said to be refused where others may write on the way to them', async () => {
    const access = async () =>
      (await panel.request('GET', `/api/users/${ada.id}/ssh-access`, { as: ada })).data.refusals
    const group = 'ada is in no group that AllowGroups names: ssh-users'
    asOwner(bench.alice, 'chmod', '777', '.')
    const { status, data } = await add(ed25519.line)
    assert.equal(status, 201)
    assert.deepEqual(data.refusals, [
      group,
      'others may write to the home (mode 0777): take the right to write from group and others',
    ])
    asOwner(bench.alice, 'chmod', '755', '.')
    asOwner(bench.alice, 'chmod', '775', '.ssh') // the group has no other member
    asOwner(bench.alice, 'chmod', '602', '.ssh/authorized_keys')
    assert.deepEqual(await access(), [
      group,
      'others may write to ~/.ssh/authorized_keys (mode 0602): take the right to write from group and others',
    ])
  })

  it('are listed, added once, and removed; the list tells when they were added and used', async () => {
    const { status, data } = await add(`${ed25519.line} für Ada`)
    assert.equal(status, 201)
    assert.deepEqual(
      [data.fingerprint, data.bits, data.comment],
      [ed25519.fingerprint, 256, 'ada@laptop für Ada'],
    )
    assert.equal(content(), `${ed25519.line} für Ada\n`)
    openSession()
    const { refusals: _none, ...key } = data
    assert.deepEqual(await keys(), [{ ...key, last_used: '2023-11-14T22:13:20.000Z' }])
    const again = await add(ed25519.line)
    assert.deepEqual([again.status, again.error.code], [409, 'already_exists'])
    assert.equal((await remove(data.id)).status, 200)
    assert.deepEqual([await keys(), sshd.pids()], [[], [1]])
    assert.equal((await remove(data.id)).error.code, 'not_found')
  })

  it('of others are added by an administrator, and those added by hand are listed too', async () => {
    asOwner(bench.alice, 'sh', '-c', `mkdir .ssh; printf 'no-pty ${rsa2048.line}' > .ssh/authorized_keys`)
    assert.equal((await add(ed25519.line, panel.admin)).status, 201)
    assert.deepEqual(
      (await keys()).map((key: any) => [key.comment, key.has_options, key.added_at === null]),
      [
        ['rsa2048', true, true],
        ['ada@laptop', false, false],
      ],
    )
  })

  it('have a plan that names the file and the sessions that end', async () => {
    await add(ed25519.line)
    openSession()
    const [{ id }] = await keys()
    const { data } = await panel.request('DELETE', `${path()}/${id}?plan=1`, { as: ada })
    assert.match(data.steps[0].title, /authorized_keys of ada, and end the sessions/)
    assert.deepEqual(data.steps[0].details, ['1 session ends'])
    assert.equal((await keys()).length, 1)
  })

  it('stay where a session does not end, with sessions_failed', async () => {
    await add(ed25519.line)
    const [{ id }] = await keys()
    const { script } = openSession()
    sshd = { ...sshd, script: (argv, options) => (argv[0] === 'kill' ? {} : script(argv, options)) }
    const { status, error } = await remove(id)
    assert.deepEqual([status, error.code], [500, 'sessions_failed'])
    sshd = sshdHost([])
    assert.equal((await keys()).length, 1)
  })

  it('are refused with conflict where the file is a link', async () => {
    asOwner(bench.alice, 'sh', '-c', 'mkdir .ssh; ln -s /etc/passwd .ssh/authorized_keys')
    for (const { status, error } of [
      await add(ed25519.line),
      await panel.request('GET', path(), { as: ada }),
    ]) {
      assert.deepEqual([status, error.code], [409, 'conflict'])
      assert.match(error.message, /^~\/\.ssh\/authorized_keys is no file but a link/)
    }
  })

  it('are refused with the reason where the home cannot be written', async (t) => {
    for (const [kind, status, code] of [
      [ownerProblems.NotPermitted, 500, 'file_failed'],
      [ownerProblems.DiskFull, 507, 'insufficient_storage'],
      [ownerProblems.OwnerUnavailable, 503, 'unavailable'],
    ] as const) {
      const refused = t.mock.method(panel.host.owners, 'of', () => {
        throw kind('refused')
      })
      const { status: answered, error } = await add(ed25519.line)
      assert.deepEqual([answered, error.code], [status, code])
      refused.mock.restore()
    }
  })
})
