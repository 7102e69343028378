import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { SignedIn } from './story/signed-in.ts'

const serverAddress = '10.77.0.152'
const serverName = 'logs.example.com'
const receiver = `module(load="imtcp")
input(type="imtcp" port="514" ruleset="received")
template(name="line" type="string" string="%programname% %msg%\\n")
ruleset(name="received") {
  action(type="omfile" file="/var/log/received" template="line")
}
`

describe('log lines on another host', () => {
  let [host, server, panel, admin] = [{} as Host, {} as Host, {} as Panel, {} as SignedIn]
  before(async () => {
    ;[host, server] = await Promise.all([
      bootHost('logs1', { image: 'logForwarding', addresses: ['10.77.0.151/24'] }),
      bootHost('logs2', { addresses: [`${serverAddress}/24`] }),
    ])
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

  it('arrive after the server was down, and rsyslog of this host restarted meanwhile', async () => {
    await server.must(['systemctl', 'stop', 'syslog.socket', 'rsyslog'])
    await log() // the one that finds out that the connection is gone may be lost
    const lines: string[] = []
    for (let index = 0; index < 20; index += 1) lines.push(await log())
    await host.must(['systemctl', 'restart', 'rsyslog'])
    await poll('lines wait on the disk', 30_000, async () =>
      (await settings()).queued_bytes > 0 ? true : undefined,
    )
    await server.must(['systemctl', 'start', 'rsyslog'])
    for (const line of lines) await arrives(line)
  })

  it('are refused where rsyslog does not take the rule, and stay as they were after a manual edit', async () => {
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
    await signIn()
    const login = await poll<any>(
      'the sign-in is recorded',
      30_000,
      async () => (await admin.must('GET', '/api/settings/ssh-audit/logs?event=login')).entries[0],
    )
    assert.deepEqual([login.user, login.source, login.method], ['root', '127.0.0.1', 'publickey'])
    const { entries } = await admin.must('GET', '/api/settings/ssh-audit/logs?event=session')
    assert.deepEqual([entries[0].user, entries[0].method], ['root', 'command'])
    await arrives('Accepted publickey for root from 127.0.0.1')
    const line = await log()
    await signIn()
    await poll('the second sign-in arrives', 30_000, async () =>
      ((await received()).match(/Accepted publickey/g) ?? []).length > 1 ? true : undefined,
    )
    assert.ok(!(await received()).includes(line), 'no other line is sent')
  })

  /** Signs in as root with a key, over loopback. */
  async function signIn(): Promise<void> {
    await mkdir(join(host.rootPath, 'root/.ssh'), { recursive: true, mode: 0o700 })
    const key = '/root/.ssh/id_ed25519'
    const { code } = await host.exec(['test', '-f', key])
    if (code !== 0) {
      await host.must(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key])
      await host.must(['cp', `${key}.pub`, '/root/.ssh/authorized_keys'])
    }
    await host.must([
      'ssh',
      '-o',
      'StrictHostKeyChecking=no',
      '-o',
      'BatchMode=yes',
      'root@127.0.0.1',
      'true',
    ])
  }

  it('do as the guide says', async () => {
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/remote-logging.md'), 'utf8'))
    assert.ok(blocks.length > 0)
    await runAll(host, panel, blocks)
  })
})
