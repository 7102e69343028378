import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, checkoutPathInHost, installedPanel, poll } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { must } from './harness/outer.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { ReleaseServer } from './story/release-server.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'
import { SshClient } from './story/ssh-client.ts'
import { visit } from './story/visit.ts'

/** Types a line into a terminal, and prints its output until it ends. */
const client = `
const socket = new WebSocket(process.argv[2])
socket.binaryType = 'arraybuffer'
socket.onopen = () => socket.send(new TextEncoder().encode('id -un; hostname; test -e /proc/1 || echo hidden; exit\\n'))
socket.onmessage = ({ data }) => process.stdout.write(typeof data === 'string' ? data : Buffer.from(data))
`

describe('the panel as it is delivered, installed with deploy/install.sh', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ada: Owner
  let releases: ReleaseServer

  before(async () => {
    host = await bootHost('delivered')
    releases = await ReleaseServer.open(host)
    // the checkout, which other suites run, is in the place of the installation
    await host.must(['umount', '--lazy', checkoutPathInHost])
    const env = { DESTDIR: host.rootPath }
    await must(['sh', 'deploy/install.sh'], { cwd: checkout, env, timeoutMs: 300_000 })
    const settings = [
      `HOSTREEVE_UPDATE_URL=${releases.url}`,
      `HOSTREEVE_UPDATE_PUBLIC_KEY=${releases.publicKey}`,
    ]
    await writeFile(join(host.rootPath, 'etc/hostreeve.env'), `${settings.join('\n')}\n`)
    await host.must(['systemctl', 'daemon-reload'])
    await host.must(['systemctl', 'try-restart', 'systemd-logind'])
    await host.must(['systemctl', 'enable', '--now', 'hostreeve-proc', 'hostreeve'])
    panel = installedPanel(host)
    await panel.untilReady()
  })
  after(() => host?.remove())

  it('shows the first password to root alone, until it is used', async () => {
    const path = '/var/lib/hostreeve/first-password'
    assert.match((await host.must(['stat', '--format=%a %U', path])).stdout, /^600 root$/m)
    const text = await readFile(join(host.rootPath, path), 'utf8')
    const [, email = '', password = ''] = /^email: (\S+)\npassword: (\S+)\n$/.exec(text) ?? []
    const { stdout: journal } = await host.must(['journalctl', '--unit=hostreeve', '--output=cat'])
    assert.ok(journal.includes(path) && !journal.includes(password), journal)
    admin = await SignedIn.as(panel, email, password)
    assert.notEqual((await host.exec(['test', '-e', path])).code, 0)
  })

  it('serves a static site and one of PHP for their owner', async () => {
    await admin.installNginx()
    ada = await admin.makeOwner('ada')
    for (const [domain, type] of [
      ['static.example.com', 'static'],
      ['php.example.com', 'php'],
    ] as const)
      await ada.signedIn.must('POST', '/api/websites', { domain, type })
    const page = { username: 'ada', path: 'sites/php.example.com/public/index.php', content: '<?= 6 * 7;' }
    await ada.signedIn.must('POST', '/api/filemanager/write', page)
    assert.match((await visit(host, 'static.example.com')).text, /static\.example\.com/)
    assert.equal((await visit(host, 'php.example.com')).text, '42')
  })

  it('lets the owner in over SSH with a key', async () => {
    const ssh = new SshClient(host)
    await ssh.startServer()
    const public_key = await ssh.makeKey('ada')
    await ada.signedIn.must('POST', `/api/users/${ada.userId}/ssh-keys`, { public_key })
    assert.match((await ssh.sftp('ada', 'ada', 'pwd\n')).stdout, /Remote working directory: \/home\/ada/)
    assert.notEqual(
      (await ssh.sftp('ada', 'ada', 'ls /proc/1/status\n')).code,
      0,
      'SFTP shows no processes of others',
    )
    assert.equal((await ssh.sftp('ada', 'ada', 'ls /proc/self/status\n')).code, 0)
  })

  it('renames the host, and shows it in a terminal', async () => {
    await admin.must('POST', '/api/settings/server-name', { server_name: 'web1.example.com' })
    assert.equal((await host.must(['hostname'])).stdout.trim(), 'web1.example.com')
    await admin.must('POST', `/api/users/${ada.userId}/permissions`, {
      permissions: ['terminal_access', 'websites_management'],
    })
    const { token } = await ada.signedIn.must('POST', '/api/auth/socket-token', { purpose: 'terminal' })
    await writeFile(join(host.rootPath, 'root/client.mjs'), client)
    const url = `ws://127.0.0.1:7070/api/users/${ada.userId}/terminal?token=${token}`
    const { stdout } = await host.must(['/opt/hostreeve/current/bin/node', '/root/client.mjs', url])
    assert.match(stdout, /^ada\r?$/m)
    assert.match(stdout, /^web1\.example\.com\r?$/m)
    assert.match(stdout, /^hidden\r?$/m, 'a terminal shows no processes of others')
  })

  it('hides the processes of others from owners, but not from the panel and members of the group', async () => {
    const list = ['ps', '-e', '--format', 'user='] as const
    const { stdout: all } = await host.must(list)
    assert.match(all, /^root$/m)
    const owners = ['runuser', '--user', 'ada', '--'] as const
    const { stdout: own } = await host.must([...owners, ...list])
    assert.deepEqual([...new Set(own.trim().split(/\s+/))], ['ada'])
    const { stdout: pid } = await host.must([
      'systemctl',
      'show',
      '--property=MainPID',
      '--value',
      'hostreeve',
    ])
    assert.notEqual((await host.exec([...owners, 'cat', `/proc/${pid.trim()}/cmdline`])).code, 0)
    await host.must(['usermod', '--append', '--groups', 'hostreeve-proc', 'nobody'])
    assert.match((await host.must(['runuser', '--user', 'nobody', '--', ...list])).stdout, /^root$/m)
    const shown = await admin.must('GET', '/api/system/processes')
    assert.match(JSON.stringify(shown), /"root"/)
    assert.match(JSON.stringify(shown), /"www-data"/)
  })

  it('updates itself', async () => {
    await releases.publish('0.2.0')
    assert.equal((await admin.ask('POST', '/api/system/selfupdate')).status, 200)
    await poll('the new version', 60_000, async () => {
      const answer = await admin.ask('GET', '/api/system/selfupdate').catch(() => undefined)
      return answer?.data?.last?.to === '0.2.0' && answer.data.last.state === 'updated' ? true : undefined
    })
    const { stdout } = await host.must(['readlink', '/opt/hostreeve/current'])
    assert.equal(stdout.trim(), 'versions/0.2.0')
    assert.equal((await visit(host, 'php.example.com')).text, '42')
  })

  it('is backed up and removed as the guide says, and leaves the websites and its data', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/installation.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide))
    assert.match(output, /"filename":"panel-[^"]+\.tar\.gz","type":"full"/)
    assert.match(output, /^The panel is removed/m)
    for (const path of [
      '/opt/hostreeve',
      '/usr/local/bin/hostreeve',
      '/etc/systemd/system/hostreeve.service',
    ])
      assert.notEqual((await host.exec(['test', '-e', path])).code, 0, path)
    assert.match(
      (await host.exec(['systemctl', 'is-active', 'hostreeve', 'hostreeve-proc'])).stdout,
      /^inactive\ninactive$/m,
    )
    await host.must(['test', '-s', '/var/lib/hostreeve/hostreeve.db'])
    assert.equal((await visit(host, 'php.example.com')).text, '42')
  })
})
