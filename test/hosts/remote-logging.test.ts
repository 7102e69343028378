import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createSelfSigned } from '../../src/host/self-signed.ts'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { SignedIn } from './story/signed-in.ts'

const serverAddress = '10.77.0.152'
const serverName = 'logs.example.com'
const receiver = `module(load="imtcp")
input(type="imtcp" port="514" ruleset="received")
input(type="imtcp" port="6514" ruleset="received"
  streamdriver.name="gtls" streamdriver.mode="1" streamdriver.authmode="anon" streamdriver.cafile="/root/cert.pem"
  streamdriver.certfile="/root/cert.pem" streamdriver.keyfile="/root/key.pem")
template(name="line" type="string" string="%programname% %msg%\\n")
ruleset(name="received") {
  action(type="omfile" file="/var/log/received" template="line")
}
`

const forged = 'Starting session: shell on pts/0 for root from 203.0.113.9 port 1 id 0'
const certificateOf = (name: string) => createSelfSigned(name, [{ type: 'dns', value: name }], new Date())

describe('log lines on another host', () => {
  let [host, server, panel, admin] = [{} as Host, {} as Host, {} as Panel, {} as SignedIn]
  let [own, other] = [
    { cert: '', key: '' },
    { cert: '', key: '' },
  ]
  before(async () => {
    ;[host, server] = await Promise.all([
      bootHost('logs1', { image: 'logForwarding', addresses: ['10.77.0.151/24'] }),
      bootHost('logs2', { image: 'logForwarding', addresses: [`${serverAddress}/24`] }),
    ])
    ;[own, other] = await Promise.all([certificateOf(serverName), certificateOf('other.example.com')])
    await writeFile(join(server.rootPath, 'root/cert.pem'), own.cert)
    await writeFile(join(server.rootPath, 'root/key.pem'), own.key, { mode: 0o600 })
    await writeFile(
      join(host.rootPath, 'etc/hosts'),
      `127.0.0.1 localhost\n127.0.1.1 logs1\n${serverAddress} ${serverName}\n`,
    )
    await writeFile(join(server.rootPath, 'etc/rsyslog.d/50-received.conf'), receiver)
    await server.must(['systemctl', 'enable', 'rsyslog'])
    await server.must(['systemctl', 'restart', 'rsyslog'])
    await host.must(['systemctl', 'enable', '--now', 'rsyslog'])
    await host.must(['systemctl', 'start', 'ssh'])
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
  })
  after(async () => {
    await host.remove?.()
    await server.remove?.()
  })

  const received = () => readFile(join(server.rootPath, 'var/log/received'), 'utf8').catch(() => '')
  const log = async (): Promise<string> => {
    const text = randomUUID()
    await host.must(['logger', '--tag', 'shop', text])
    return text
  }
  const arrives = (text: string) =>
    poll(`${text} arrives`, 60_000, async () => ((await received()).includes(text) ? true : undefined))
  const settings = () => admin.must('GET', '/api/settings/remote-logging')
  const set = (body: object) => admin.must('POST', '/api/settings/remote-logging', body)

  it('arrive as they are written', async () => {
    await set({ enabled: true, server: serverName, port: 514 })
    const { enabled, state, running } = await settings()
    assert.deepEqual([enabled, state, running], [true, 'applied', true])
    await arrives(await log())
  })

  const logMany = async () => {
    const lines: string[] = []
    for (let index = 0; index < 20; index += 1) lines.push(await log())
    return lines
  }

  it('arrive after the server was down, every one', async () => {
    await server.must(['systemctl', 'stop', 'syslog.socket', 'rsyslog'])
    const lines = await logMany()
    await server.must(['systemctl', 'start', 'rsyslog'])
    for (const line of lines) await arrives(line)
  })

  it('survive a restart of rsyslog meanwhile, but for the one that it was trying to send', async () => {
    await server.must(['systemctl', 'stop', 'syslog.socket', 'rsyslog'])
    const [, ...lines] = await logMany()
    await host.must(['systemctl', 'restart', 'rsyslog'])
    await poll('lines wait on the disk', 30_000, async () =>
      (await settings()).queued_bytes > 0 ? true : undefined,
    )
    await server.must(['systemctl', 'start', 'rsyslog'])
    for (const line of lines) await arrives(line)
  })

  it('wait for a server whose certificate is another, and arrive over TLS at the right one', async () => {
    await set({ enabled: true, protocol: 'tls', ca: other.cert })
    assert.equal((await settings()).port, 6514)
    const line = await log()
    await poll('rsyslog to refuse the certificate', 60_000, async () => {
      const { stdout } = await host.must(['journalctl', '--unit=rsyslog', '--output=cat', '--no-pager'])
      return /not permitted to talk to peer/.test(stdout) ? true : undefined
    })
    assert.ok(!(await received()).includes(line))
    await set({ enabled: true, ca: own.cert })
    await arrives(line)
    await set({ enabled: true, protocol: 'tcp', port: 514, ca: '' })
  })

  it('keep a rule that was edited by hand until it is to be replaced', async () => {
    const path = join(host.rootPath, 'etc/rsyslog.d/10-hostreeve-remote.conf')
    const written = await readFile(path, 'utf8')
    await writeFile(path, `${written}# mine\n`)
    const { status, code } = await admin.ask('POST', '/api/settings/remote-logging', {
      enabled: true,
      port: 515,
    })
    assert.deepEqual([status, code], [409, 'edited_by_hand'])
    await admin.must('POST', '/api/settings/remote-logging?overwrite=true', { enabled: true, port: 514 })
    assert.equal((await settings()).state, 'applied')
  })

  it('are sent no more', async () => {
    await set({ enabled: false })
    assert.equal((await settings()).state, 'absent')
    const { stdout } = await host.must(['ls', '-A', '/etc/rsyslog.d'])
    assert.doesNotMatch(stdout, /hostreeve/)
  })

  it('of the SSH audit show a sign-in, and are sent to a server of their own', async () => {
    await admin.must('POST', '/api/settings/ssh-audit/toggle', { enabled: true })
    const { enabled, state, commands } = await admin.must('GET', '/api/settings/ssh-audit/status')
    assert.deepEqual([enabled, state], [true, 'applied'])
    assert.equal(commands.supported, false, 'a container has no audit')
    assert.notEqual(commands.reason, '')
    await admin.must('POST', '/api/settings/ssh-audit/forward', {
      enabled: true,
      server: serverName,
      port: 514,
    })
    await host.must(['useradd', '--create-home', '--shell', '/bin/bash', 'ada'])
    await signIn('ada')
    const ofAda = await poll<any>(
      'the session of ada is recorded',
      30_000,
      async () => (await admin.must('GET', '/api/settings/ssh-audit/logs?event=session&user=ada')).entries[0],
    )
    assert.deepEqual([ofAda.source, ofAda.method], ['127.0.0.1', 'command'])
    await host.must(['runuser', '-u', 'ada', '--', 'logger', '--tag', 'sshd', forged])
    await signIn()
    const of = async (query: string) =>
      (await admin.must('GET', `/api/settings/ssh-audit/logs?${query}`)).entries
    const session = await poll<any>(
      'the session is recorded',
      30_000,
      async () => (await of('event=session&user=root'))[0],
    )
    assert.deepEqual([session.source, session.method], ['127.0.0.1', 'command'], 'not what ada wrote')
    assert.equal((await of('event=session&user=root')).length, 1)
    const [login] = await of('event=login&user=root')
    assert.deepEqual([login.source, login.method], ['127.0.0.1', 'publickey'])
    await arrives('Accepted publickey for root from 127.0.0.1')
    const line = await log()
    await signIn()
    await poll('the second sign-in of root arrives', 30_000, async () =>
      ((await received()).match(/Accepted publickey for root/g) ?? []).length > 1 ? true : undefined,
    )
    assert.ok(!(await received()).includes(line), 'no other line is sent')
  })

  /** Signs in with a key, over loopback. */
  async function signIn(username = 'root'): Promise<void> {
    const home = username === 'root' ? '/root' : `/home/${username}`
    const lines = [
      `test -f /root/key || ssh-keygen -q -t ed25519 -N '' -f /root/key`,
      `install -d -m 700 -o ${username} -g ${username} ${home}/.ssh`,
      `install -m 600 -o ${username} -g ${username} /root/key.pub ${home}/.ssh/authorized_keys`,
      `ssh -i /root/key -o StrictHostKeyChecking=no -o BatchMode=yes ${username}@127.0.0.1 true`,
    ]
    await host.must(['sh', '-e', '-c', lines.join('\n')])
  }

  it('do as the guide says', async () => {
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/remote-logging.md'), 'utf8'))
    assert.ok(blocks.length > 0)
    await runAll(host, panel, blocks)
  })
})
