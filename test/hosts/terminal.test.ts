import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'

/** Types what it is given into a terminal, and prints its output until it ends. */
const client = `
const [url, text] = process.argv.slice(2)
const socket = new WebSocket(url)
socket.binaryType = 'arraybuffer'
socket.onopen = () => socket.send(new TextEncoder().encode(text))
socket.onmessage = ({ data }) => process.stdout.write(typeof data === 'string' ? data : Buffer.from(data))
socket.onclose = ({ code }) => console.log('closed ' + code)
`

describe('terminals of a panel that is a service', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ada: Owner
  before(async () => {
    host = await bootHost('terminal')
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    ada = await admin.makeOwner('ada')
    const permissions = ['terminal_access']
    await admin.must('POST', `/api/users/${ada.userId}/permissions`, { permissions })
    await host.must(['groupadd', 'builders'])
    await host.must(['gpasswd', '--add', 'ada', 'builders'])
    await writeFile(join(host.rootPath, 'root/client.mjs'), client)
  })
  after(() => host?.remove())

  const commandOf = async (as: SignedIn, uid: number, text: string) => {
    const { token } = await as.must('POST', '/api/auth/socket-token', { purpose: 'terminal' })
    const { HOSTREEVE_PORT: port } = panel.environment
    const url = `ws://127.0.0.1:${port}/api/users/${uid}/terminal?token=${token}`
    return ['/opt/hostreeve/node_modules/.bin/node', '/root/client.mjs', url, text] as const
  }

  it('are login shells with the uid, the groups and the home of the account', async () => {
    const text = 'shopt -q login_shell && echo is-$((1))-login; id; pwd; cat /proc/self/cgroup; exit\n'
    const { stdout } = await host.must(await commandOf(ada.signedIn, ada.userId, text))
    assert.match(stdout, /is-1-login/)
    assert.match(stdout, /uid=\d{4,}\(ada\) gid=\d+\(ada\) groups=\d+\(ada\),\d+\(builders\)/)
    assert.match(stdout, /^\/home\/ada\r?$/m)
    assert.match(stdout, /\/user-\d{4,}\.slice\//, 'limits of the slice hold for it')
    assert.match(stdout, /"type":"exit","code":0/)
  })

  it('are not confined as the delivered unit confines the panel', async () => {
    const { stdout: confined } = await host.must([
      'systemctl',
      'show',
      '--property=ProtectKernelTunables,OOMScoreAdjust',
      'hostreeve',
    ])
    assert.deepEqual(confined.trim().split('\n').sort(), ['OOMScoreAdjust=-500', 'ProtectKernelTunables=yes'])
    const text =
      'shopt -q login_shell && echo is-$((1))-login; id; umask; echo $((2))-oom $(cat /proc/self/oom_score_adj); grep NoNewPrivs /proc/self/status; exit\n'
    const { stdout } = await host.must(await commandOf(ada.signedIn, ada.userId, text))
    assert.match(stdout, /is-1-login/)
    assert.match(stdout, /uid=\d{4,}\(ada\) gid=\d+\(ada\) groups=\d+\(ada\),\d+\(builders\)/)
    assert.match(stdout, /^0022\r?$/m)
    assert.match(stdout, /^2-oom [1-9]\d*\r?$/m, 'the kernel ends a shell before the panel')
    assert.match(stdout, /NoNewPrivs:\s+0\r?$/m, 'sudo works')
  })

  it('end with the suspension of their user, with what runs in them', async () => {
    const command = await commandOf(ada.signedIn, ada.userId, 'sleep 4711\n')
    await host.must(['systemd-run', '--unit=client', ...command])
    const isRunning = async () => (await host.exec(['pgrep', '-f', '^sleep 4711'])).code === 0
    await poll('the shell to run it', 10_000, async () => (await isRunning()) || undefined)
    await admin.must('PATCH', `/api/users/${ada.userId}`, { is_suspended: true })
    await poll('the shell to end', 10_000, async () => ((await isRunning()) ? undefined : true))
    await admin.must('PATCH', `/api/users/${ada.userId}`, { is_suspended: false })
  })

  it('do as the guide says', async () => {
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/terminal.md'), 'utf8'))
    assert.ok(blocks.length > 0)
    await runAll(host, panel, blocks)
  })
})
