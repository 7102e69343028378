import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { after as afterMs, killWhile } from './story/kill.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'
import { SshClient } from './story/ssh-client.ts'

describe('SSH for hosting users', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ada: Owner
  let client: SshClient

  before(async () => {
    host = await bootHost('ssh')
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    ada = await admin.makeOwner('ada')
    client = new SshClient(host)
    await client.startServer()
  })
  after(() => host?.remove())

  const keysOf = ({ userId }: Owner) => `/api/users/${userId}/ssh-keys`
  const add = async (owner: Owner, public_key: string) =>
    owner.signedIn.must('POST', keysOf(owner), { public_key })
  const listed = async (owner: Owner): Promise<readonly any[]> =>
    (await owner.signedIn.must('GET', keysOf(owner))).keys
  const fileOf = (name: string) => `/home/${name}/.ssh/authorized_keys`
  const contentOf = async (name: string) => (await host.must(['cat', fileOf(name)])).stdout

  it('takes keys, whose holders sign in; the list tells when they last did', async () => {
    const key = await client.makeKey('first')
    assert.equal((await client.ssh('ada', 'first', 'id -un')).code, 255)
    const added = await add(ada, key)
    assert.equal((await client.ssh('ada', 'first', 'id -un')).stdout, 'ada\n')
    assert.match((await client.ssh('ada', 'first', 'cat /proc/self/cgroup')).stdout, /\/user-\d{4,}\.slice\//)
    const facts = ['stat', '--format=%a %U:%G', '/home/ada/.ssh', fileOf('ada')] as const
    assert.equal((await host.must(facts)).stdout, '700 ada:ada\n600 ada:ada\n')
    const [shown] = await listed(ada)
    assert.deepEqual(
      [shown.id, shown.type, shown.fingerprint],
      [added.id, 'ssh-ed25519', await client.fingerprint('first')],
    )
    assert.ok(Date.parse(shown.last_used) >= Date.parse(shown.added_at) - 1000, shown.last_used)
  })

  it('ends the sessions of a removed key within a second; those of another key go on', async () => {
    const [gone, kept] = [
      await add(ada, await client.makeKey('gone')),
      await add(ada, await client.makeKey('kept')),
    ]
    await client.stay('ada', 'gone', 'sleep 611')
    await client.stay('ada', 'kept', 'sleep 612')
    const plan = await ada.signedIn.must('DELETE', `${keysOf(ada)}/${gone.id}?plan=1`)
    assert.deepEqual(plan.steps[0].details, ['1 session ends'])
    await ada.signedIn.must('DELETE', `${keysOf(ada)}/${gone.id}`)
    await poll('the session to end', 5000, async () =>
      (await client.isOpen('sleep 611')) ? undefined : true,
    )
    assert.equal(await client.isOpen('sleep 612'), true)
    assert.equal((await client.ssh('ada', 'gone', 'true')).code, 255)
    await ada.signedIn.must('DELETE', `${keysOf(ada)}/${kept.id}`)
    assert.equal(await client.isOpen('sleep 612'), false)
  })

  it('keeps every other line of the file, also after the panel was killed while it wrote', async () => {
    const ben = await admin.makeOwner('ben')
    const [mine, other] = [await client.makeKey('mine'), await client.makeKey('other')]
    const lines = `# by hand\r\n\n  command="echo \\"forced\\"",no-pty ${mine}\nnonsense\n`
    await host.must(['install', '-d', '-o', 'ben', '-g', 'ben', '/home/ben/.ssh'])
    await host.must(['tee', fileOf('ben')], { input: lines })
    await host.must(['chown', 'ben:', fileOf('ben')])
    assert.deepEqual(
      (await listed(ben)).map(({ has_options }) => has_options),
      [true],
    )
    for (const ms of [0, 10, 25, 50]) {
      await killWhile(panel, () => ben.signedIn.ask('POST', keysOf(ben), { public_key: other }), afterMs(ms))
      const found = (await listed(ben)).find(({ has_options }) => !has_options)
      assert.equal(await contentOf('ben'), found ? `${lines}${other}\n` : lines)
      assert.equal((await client.ssh('ben', 'other', 'true')).code, found ? 0 : 255)
      if (found) await ben.signedIn.must('DELETE', `${keysOf(ben)}/${found.id}`)
      assert.equal(await contentOf('ben'), lines)
    }
    assert.equal((await client.ssh('ben', 'mine', 'id')).stdout, 'forced\n')
  })

  it('writes to no file of others, whatever its owner puts there', async () => {
    const eve = await admin.makeOwner('eve')
    const key = await client.makeKey('eve')
    const before = (await host.must(['sha256sum', '/etc/passwd', '/root/.bashrc'])).stdout
    const asEve = (script: string) =>
      host.must([
        'setpriv',
        '--reuid=eve',
        '--regid=eve',
        '--init-groups',
        'sh',
        '-ec',
        `cd /home/eve; rm -rf .ssh; ${script}`,
      ])
    for (const attack of [
      'mkdir .ssh; ln -s /etc/passwd .ssh/authorized_keys',
      'mkdir .ssh; ln -s /root/.ssh/authorized_keys .ssh/authorized_keys',
      'ln -s /root .ssh',
      'ln -s ../ada/.ssh .ssh',
      'mkdir .ssh; mkfifo .ssh/authorized_keys',
      'mkdir -p .ssh/authorized_keys',
      'echo > .ssh',
    ]) {
      await asEve(attack)
      const { status, message } = await eve.signedIn.ask('POST', keysOf(eve), { public_key: key })
      assert.deepEqual([status, /~\/\.ssh/.test(message)], [409, true], `${attack}: ${message}`)
    }
    await asEve('mkdir .ssh; echo mine > notes; ln notes .ssh/authorized_keys')
    await add(eve, key)
    assert.equal((await host.must(['cat', '/home/eve/notes'])).stdout, 'mine\n')
    assert.equal((await host.must(['sha256sum', '/etc/passwd', '/root/.bashrc'])).stdout, before)
  })

  const edit = (owner: Owner, body: object) => admin.must('PATCH', `/api/users/${owner.userId}`, body)
  const accessOf = (owner: Owner) => owner.signedIn.must('GET', `/api/users/${owner.userId}/ssh-access`)

  it('confines those without a shell to SFTP in their own home', async () => {
    const fay = await admin.makeOwner('fay')
    await add(fay, await client.makeKey('fay'))
    await client.stay('fay', 'fay', 'sleep 613')
    await edit(fay, { shell: false })
    assert.equal(await client.isOpen('sleep 613'), false)
    const shell = await client.ssh('fay', 'fay', 'id -un; cat /etc/passwd')
    assert.doesNotMatch(shell.stdout, /fay|root/)
    const put = await client.sftp('fay', 'fay', 'pwd\nput /root/key-fay.pub mine\nls -1 /home\nls -1 /')
    assert.equal(put.code, 0, put.stderr)
    assert.match(put.stdout, /\/home\/fay\n/)
    assert.equal((await host.must(['stat', '--format=%U', '/home/fay/mine'])).stdout, 'fay\n')
    assert.doesNotMatch(put.stdout.replaceAll(/^sftp>.*$/gm, ''), /ada|etc|root/)
    for (const path of ['/etc/passwd', '../ada/x', '/home/ada', '/proc/self/root', '../../../etc/passwd'])
      assert.equal((await client.sftp('fay', 'fay', `get ${path} /tmp/stolen`)).code, 1, path)
    await host.must(['ln', '-s', '/etc/passwd', '/home/fay/link'])
    assert.equal((await client.sftp('fay', 'fay', 'get link /tmp/stolen')).code, 1)
    assert.doesNotMatch((await client.ssh('fay', 'fay', 'true; echo out')).stdout, /^out/m)
    const forwarded = await client.forward('fay', 'fay')
    assert.notEqual(forwarded.code, 0, forwarded.stdout)
    await edit(fay, { shell: true })
    assert.equal((await client.ssh('fay', 'fay', 'id -un')).stdout, 'fay\n')
    assert.equal((await host.exec(['ls', '/var/lib/hostreeve_sftp/fay'])).code, 2)
    assert.equal((await host.must(['ls', '/home/fay/mine'])).code, 0)
  })

  it('mounts the home again after a restart of the host', async () => {
    const gus = await admin.makeOwner('gus')
    await add(gus, await client.makeKey('gus'))
    await edit(gus, { shell: false })
    await host.cutPower()
    await host.start()
    await host.must(['systemctl', 'start', 'ssh'])
    assert.equal((await client.sftp('gus', 'gus', 'put /root/key-gus.pub mine')).code, 0)
    assert.equal((await host.must(['stat', '--format=%U', '/home/gus/mine'])).stdout, 'gus\n')
    await panel.start()
    await admin.must('DELETE', `/api/users/${gus.userId}?files=remove`)
    assert.equal((await host.exec(['ls', '/var/lib/hostreeve_sftp/gus'])).code, 2)
    assert.equal((await host.must(['ls', '/etc/ssh/sshd_config.d'])).stdout, '')
    assert.equal((await host.exec(['ls', '/home/gus'])).code, 2)
  })

  it('takes a password that an administrator has set, and no longer once it is locked', async () => {
    const hal = await admin.makeOwner('hal')
    const password = 'a long: password'
    const put = () => client.sftpWithPassword('hal', password, 'put /root/askpass mine')
    assert.notEqual((await put()).code, 0)
    await host.must(['tee', '/etc/ssh/sshd_config.d/50-no.conf'], { input: 'PasswordAuthentication no\n' })
    await edit(hal, { sftp_password: password, shell: false })
    const done = await put()
    assert.equal(done.code, 0, done.stderr)
    const { takes_password, sign_ins } = await accessOf(hal)
    assert.deepEqual(
      [takes_password, sign_ins[0].method, sign_ins[0].address],
      [true, 'password', '127.0.0.1'],
    )
    assert.doesNotMatch(JSON.stringify(await admin.must('GET', '/api/activity?limit=20')), /a long: password/)
    await edit(hal, { sftp_password: null })
    assert.notEqual((await put()).code, 0)
    await host.must(['rm', '/etc/ssh/sshd_config.d/50-no.conf'])
  })

  it('ends the sessions of a suspended user, who cannot sign in until unsuspended', async () => {
    await client.makeKey('ivy')
    const ivy = await admin.makeOwner('ivy')
    await add(ivy, await client.makeKey('ivy2'))
    await client.stay('ivy', 'ivy2', 'sleep 614')
    await edit(ivy, { is_suspended: true })
    await poll('the session to end', 5000, async () =>
      (await client.isOpen('sleep 614')) ? undefined : true,
    )
    assert.equal((await client.ssh('ivy', 'ivy2', 'true')).code, 255)
    await edit(ivy, { is_suspended: false })
    assert.equal((await client.ssh('ivy', 'ivy2', 'true')).code, 0)
  })

  it('leaves what sshd rejects as it was', async () => {
    await host.must(['tee', '/etc/ssh/sshd_config.d/99-broken.conf'], { input: 'NoSuchSetting yes\n' })
    const refused = await admin.ask('PATCH', `/api/users/${ada.userId}`, { shell: false })
    assert.deepEqual([refused.status, refused.code], [500, 'sshd_refused'], refused.message)
    assert.match(refused.message, /NoSuchSetting/i)
    await host.must(['rm', '/etc/ssh/sshd_config.d/99-broken.conf'])
    assert.equal((await accessOf(ada)).shell, true)
    assert.equal((await client.ssh('ada', 'first', 'id -un')).stdout, 'ada\n')
    await host.must(['sed', '-i', 's/^Include/#Include/', '/etc/ssh/sshd_config'])
    const without = await admin.ask('PATCH', `/api/users/${ada.userId}`, { shell: false })
    assert.deepEqual([without.status, without.code], [503, 'unavailable'])
    assert.match((await accessOf(ada)).obstacle, /does not include/)
    await host.must(['sed', '-i', 's/^#Include/Include/', '/etc/ssh/sshd_config'])
  })

  it('says why sshd refuses a key that the file has', async () => {
    const kay = await admin.makeOwner('kay')
    await add(kay, await client.makeKey('kay'))
    const admits = async () => (await client.ssh('kay', 'kay', 'true')).code === 0
    assert.deepEqual([await admits(), (await accessOf(kay)).refusals], [true, []])
    for (const [breaks, mends, expected] of [
      [['chmod', '770', '/home/kay'], ['chmod', '710', '/home/kay'], /others may write to the home/],
      [
        ['chmod', '777', '/home/kay/.ssh'],
        ['chmod', '700', '/home/kay/.ssh'],
        /others may write to ~\/\.ssh/,
      ],
      [
        ['sh', '-c', 'echo AllowGroups ssh-users > /etc/ssh/sshd_config.d/50-groups.conf'],
        ['rm', '/etc/ssh/sshd_config.d/50-groups.conf'],
        /no group that AllowGroups names: ssh-users/,
      ],
    ] as const) {
      await host.must(breaks)
      await host.must(['systemctl', 'reload', 'ssh'])
      assert.equal(await admits(), false, breaks.join(' '))
      assert.match((await accessOf(kay)).refusals.join('; '), expected)
      await host.must(mends)
      await host.must(['systemctl', 'reload', 'ssh'])
    }
    const body = { username: 'kay', path: '/', mode: '755', recursive: true }
    await kay.signedIn.must('POST', '/api/filemanager/chmod', body)
    assert.deepEqual([await admits(), (await accessOf(kay)).refusals], [true, []])
  })

  it('works as the guide shows it', async () => {
    await host.must(['install', '-d', '-m', '700', '/root/.ssh'])
    const guide = await readFile(join(checkout, 'docs/guides/ssh.md'), 'utf8')
    const output = await runAll(host, panel, ['export HOME=/root', ...shellBlocks(guide)])
    assert.match(output, /^kim$/m)
    assert.match(output, /kim kim .*from-sftp/)
    assert.match(output, /"method": ?"publickey"/)
  })
})
