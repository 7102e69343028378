import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { chatCommand, cutPartner, partnerSettings, startPartnerOn } from './story/partner.ts'
import { installPm2 } from './story/pm2.ts'
import { SignedIn } from './story/signed-in.ts'

const folder = '/var/lib/hostreeve-partner'
const account = 'hostreeve-partner'
const unit = `/etc/systemd/system/${account}.service`
const token = 'gw-token-1'

describe('the AI partner and its gateway', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  before(async () => {
    host = await bootHost('aipartner')
    await startPartnerOn(host)
    panel = await startPanel(host, { env: partnerSettings })
    admin = await SignedIn.as(panel)
  })
  after(() => host?.remove())

  const at = (path: string) => join(host.rootPath, path)
  const ask = (method: string, path: string, body?: unknown) =>
    admin.ask(method, `/api/aipartner${path}`, body)
  const status = async () => {
    const { bytes } = await ask('GET', '/gateway/status?include_log=1')
    return JSON.parse(String(bytes))
  }
  const untilStatus = (what: string, isMet: (status: any) => boolean) =>
    poll(what, 60_000, async () => {
      const now = await status()
      return isMet(now) ? now : undefined
    })
  const seen = async () => JSON.parse(await readFile(at(`${folder}/home/seen.json`), 'utf8'))
  const isOnline = ({ running }: { readonly running?: boolean }) => running === true

  it('does not install a gateway on a host without PM2', async () => {
    const { status: code, code: name, message } = await ask('POST', '/gateway/install', { token })
    assert.deepEqual([code, name], [400, 'install_failed'])
    assert.match(message, /npm install --global/)
    await installPm2(host)
  })

  it('is activated, configured and installed as the guide says', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/partner.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide))
    assert.match(output, /"activated":true/)
    assert.match(output, /"bot_username":"hostreeve_bot"/)
    assert.match(output, /"install_status":"installed"/)
    assert.match(output, /"process_manager_status":"stopped"/)
    assert.match(output, /"uninstalled":true/)
    for (const left of [folder, unit]) assert.ok(!existsSync(at(left)), left)
    assert.notEqual((await host.exec(['getent', 'passwd', account])).code, 0)
  })

  const said = async () => {
    const { messages } = await admin.must('GET', '/api/aipartner/messages')
    return messages.map((each: any) => each.text).slice(-4)
  }

  it('chats, keeps what was said, and survives a partner that is cut', async () => {
    const { stdout } = await host.must(await chatCommand(host, { panel, as: admin }, 'hello', 'and again'))
    assert.match(stdout, /"type":"banner"[^]*You said: hello[^]*You said: and again[^]*closed 1000/)
    assert.deepEqual(await said(), ['hello', 'You said: hello', 'and again', 'You said: and again'])
    // a notice, which the cut causes, is awaited before the next text; then a new banner comes first
    const texts = ['before', '!', 'after the cut', '!']
    const talking = host.must(await chatCommand(host, { panel, as: admin }, ...texts))
    await poll('the first answer', 60_000, async () => (await said()).at(-1) === 'You said: before')
    await cutPartner(host)
    assert.match((await talking).stdout, /was lost[^]*You said: after the cut/)
  })

  it('runs the gateway as its own account, which restarts it after a crash', async () => {
    const { status: code, data } = await ask('POST', '/gateway/install', { token })
    assert.deepEqual([code, data.installing], [202, true])
    const running = await untilStatus('the gateway to run', isOnline)
    assert.ok(running.memory_bytes > 0)
    assert.match(running.install_log, /SHA-256/)
    const { stdout: uid } = await host.must(['id', '--user', account])
    const own = await poll('the gateway to write who it is', 60_000, () => seen().catch(() => undefined))
    assert.deepEqual(own, {
      uid: Number(uid),
      token: createHash('sha256').update(token).digest('hex'),
      url: partnerSettings.HOSTREEVE_PARTNER_API_URL,
    })
    await writeFile(at(`${folder}/home/crash`), '')
    await untilStatus(
      'PM2 to restart it',
      (now) => isOnline(now) && now.restart_count > running.restart_count,
    )
    assert.equal((await ask('POST', '/gateway/install', { token })).code, 'install_failed')
  })

  it('keeps the gateway running while the panel restarts, and starts it with its service', async () => {
    const { pm_id: id, restart_count: restarts } = await status()
    await panel.restart()
    admin = await SignedIn.as(panel)
    const now = await status()
    assert.deepEqual([now.running, now.pm_id, now.restart_count], [true, id, restarts])
    await host.must(['systemctl', 'restart', account])
    await untilStatus('the gateway to run again', isOnline)
  })

  it('stops and restarts it, and tells what PM2 printed', async () => {
    const stopped = await ask('POST', '/gateway/stop')
    assert.equal(stopped.status, 200, stopped.message)
    assert.match(stopped.data.output, /partner-gateway/)
    const { running, process_manager_status: state } = await status()
    assert.deepEqual([running, state], [false, 'stopped'])
    const restarted = await ask('POST', '/gateway/restart')
    assert.match(restarted.data.output, /partner-gateway/)
    await untilStatus('the gateway to run', isOnline)
    await host.must(['systemctl', 'stop', account])
    assert.equal((await status()).process_manager_status, 'not running')
    const { stdout: daemons } = await host.exec(['pgrep', '--uid', account])
    assert.equal(daemons.trim(), '', 'reading the status starts no daemon')
    assert.match((await ask('POST', '/gateway/restart')).data.output, /was started/)
    await untilStatus('the gateway to run', isOnline)
  })

  it('removes the gateway with its account and its processes', async () => {
    const { status: code, data } = await ask('DELETE', '/gateway')
    assert.equal(code, 200)
    assert.match(data.output, /was removed/)
    for (const left of [folder, unit]) assert.ok(!existsSync(at(left)), left)
    assert.notEqual((await host.exec(['getent', 'passwd', account])).code, 0)
    assert.notEqual((await host.exec(['pgrep', '--full', '[g]ateway.mjs'])).code, 0)
    assert.deepEqual(await status(), { installed: false })
  })

  it('stays blocked, also after the panel was started again', async () => {
    const blocked = await host.must(await chatCommand(host, { panel, as: admin }, 'something forbidden', 'x'))
    assert.match(blocked.stdout, /"type":"blocked"[^]*closed 4003/)
    await panel.restart()
    admin = await SignedIn.as(panel)
    const again = await host.must(await chatCommand(host, { panel, as: admin }, 'hello'))
    assert.match(again.stdout, /^\{"type":"blocked","text":"The trial was misused"\}/)
    assert.equal((await ask('POST', '/activate')).code, 'already_activated')
  })
})
