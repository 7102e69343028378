import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { ServiceFailed } from '../../host/services.ts'
import type { ScriptedAccount } from '../../host/testing/scripted-host.ts'
import type { Script } from '../../host/testing/scripted-run.ts'
import { sshdHost } from '../../tools/openssh/testing/sshd-host.ts'

/** More of what sshd applies to ada. */
let effective = ''
/** sshd as it is with the files of an account, and chpasswd on a locked file. */
const sshd: Script = ([program, verb]) => {
  if (program === 'chpasswd') return { code: 1, stderr: 'chpasswd: cannot lock /etc/passwd' }
  if (program !== 'sshd') return undefined
  return { stdout: verb === '-T' ? `passwordauthentication yes\n${effective}` : '' }
}

describe('the SSH access of a user', () => {
  const accounts = new Map<string, ScriptedAccount>([['ada', { uid: 1001 }]])
  let panel: TestPanel
  let ada: Person
  let keeper: Person
  before(async () => {
    panel = await openTestPanel({
      accounts,
      scripts: [sshdHost([]).script, sshd],
    })
    ada = await panel.person({ username: 'ada' })
    keeper = await panel.person({ permissions: ['booting_users_management'] })
    await panel.host.files.makeDirectory('/etc/ssh/sshd_config.d')
    await include()
  })
  after(() => panel.close())

  const include = (text = 'Include /etc/ssh/sshd_config.d/*.conf\n') =>
    panel.host.files.write('/etc/ssh/sshd_config', text)
  const edit = (body: object, { uid = ada.id, as = panel.admin, plan = true } = {}) =>
    panel.request('PATCH', `/api/users/${uid}${plan ? '?plan=1' : ''}`, { as, body })
  const read = async (as: Person | undefined, uid = ada.id) =>
    panel.request('GET', `/api/users/${uid}/ssh-access`, { ...(as && { as }) })

  it('is what the account has as long as nobody changes it', async () => {
    const { data } = await read(ada)
    assert.deepEqual(data, {
      sftp: true,
      shell: true,
      takes_password: false,
      is_suspended: false,
      obstacle: null,
      refusals: [],
      sign_ins: [],
    })
    const plan = await edit({ fullname: 'Ada' })
    assert.deepEqual(plan.data.steps, [])
  })

  it('names what in the configuration of sshd refuses the account', async () => {
    accounts.set('ada', { uid: 1001, groups: ['ada', 'sites'] })
    for (const [settings, expected] of [
      ['allowusers ad?\nallowgroups x\nallowgroups site*\ndenyusers ada@192.0.2.1\n', []],
      ['denyusers a*\n', [/^DenyUsers .* a\*$/]],
      ['denyusers ada@*\n', [/^DenyUsers/]],
      ['allowusers bob\nallowusers root@ada\n', [/^AllowUsers .* does not name ada$/]],
      ['allowusers ada@10.0.0.0/8\n', []],
      [
        'denygroups sites\nallowgroups wheel\nallowgroups ssh-users\n',
        [/DenyGroups.*: sites$/, /AllowGroups.*: wheel, ssh-users$/],
      ],
      ['pubkeyauthentication no\n', [/PubkeyAuthentication no/]],
      ['authorizedkeysfile /etc/ssh/keys/%u\n', [/from \/etc\/ssh\/keys\/%u, not from/]],
      ['authorizedkeysfile .ssh/authorized_keys .ssh/authorized_keys2\n', []],
    ] as const) {
      effective = settings
      const { refusals } = (await read(ada)).data
      assert.equal(refusals.length, expected.length, `${settings}${refusals}`)
      expected.forEach((message, index) => assert.match(refusals[index], message))
    }
    effective = ''
  })

  it('is planned with the file that sshd reads', async () => {
    const { data } = await edit({ shell: false })
    assert.match(data.steps[0].title, /^Confine ada to SFTP in the own home/)
    const [dropIn, mount] = data.steps[0].objects
    assert.equal(dropIn.name, '/etc/ssh/sshd_config.d/00-hostreeve-ada.conf')
    assert.match(
      dropIn.after,
      /ChrootDirectory \/var\/lib\/hostreeve_sftp\/ada\n {4}ForceCommand internal-sftp\n/,
    )
    assert.equal(mount.name, '/etc/systemd/system/var-lib-hostreeve_sftp-ada-home-ada.mount')
  })

  it('is seen by its user and by those who manage users, and changed by the latter', async () => {
    const bob = await panel.person({ permissions: ['websites_management'] })
    assert.equal((await read(undefined)).status, 401)
    assert.equal((await read(bob)).error.code, 'forbidden')
    assert.equal((await read(keeper)).status, 200)
    assert.equal((await read(bob, bob.id)).error.code, 'bad_request')
    assert.equal((await edit({ shell: false }, { as: ada })).error.code, 'forbidden')
    assert.equal((await edit({ shell: false }, { as: keeper })).status, 200)
    assert.equal((await edit({ shell: false }, { as: keeper, uid: panel.admin.id })).error.code, 'forbidden')
  })

  it('is refused with the field and what would be right', async () => {
    const nobody = await panel.person()
    for (const [body, message, uid] of [
      [{ sftp: false }, /^sftp: a shell transfers files too; switch off shell with sftp/],
      [{ shell: 'no' }, /^shell: must be/],
      [{ sftp_password: 'short' }, /^sftp_password: must be a password of 10 to 256 characters on one line/],
      [{ sftp_password: 'a long password\nroot:hacked' }, /^sftp_password: must be a password/],
      [{ sftp_password: '••••••••••••' }, /^sftp_password: must be a password/],
      [{ shell: false }, /^shell: .* has no Linux account on this host, which SSH needs/, nobody.id],
      [{ sftp_password: null }, /^sftp_password: .* has no Linux account/, nobody.id],
    ] as const) {
      const { status, error } = await edit(body, { plan: false, ...(uid && { uid }) })
      assert.deepEqual([status, error.code], [400, 'bad_request'], JSON.stringify(body))
      assert.match(error.message, message)
    }
  })

  it('is not promised where sshd does not read the file; a suspension says so', async () => {
    await include('UsePAM yes\n')
    const { status, error } = await edit({ shell: false })
    assert.deepEqual([status, error.code], [503, 'unavailable'])
    assert.match(error.message, /add the line "Include/)
    const { data } = await edit({ is_suspended: true })
    assert.match(data.details[0], /^Signing in over SSH is not affected: .*does not include/)
    await include()
  })

  it('names what failed: the password, or the reload of sshd', async (t) => {
    effective = 'denyusers ada\n' // as the file of the account has it
    t.mock.method(panel.host.services, 'list', async () => [{ name: 'ssh', active: true }])
    const act = t.mock.method(panel.host.services, 'act', async () => {})
    const failed = await edit({ sftp_password: 'a long password' }, { plan: false })
    assert.deepEqual([failed.status, failed.error.code], [500, 'password_failed'])
    assert.match(failed.error.message, /^ada: chpasswd: cannot lock/)
    act.mock.restore()
    t.mock.method(panel.host.services, 'act', () => {
      throw ServiceFailed('ssh: reload')
    })
    const refused = await edit({ sftp: false, shell: false }, { plan: false })
    assert.deepEqual([refused.status, refused.error.code], [500, 'service_failed'])
    assert.deepEqual(await panel.host.files.list('/etc/ssh/sshd_config.d'), [])
    assert.equal((await read(ada)).data.shell, true)
  })
})
