import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, type Host } from './harness/index.ts'
import { type AssistantHost, assistantUnit, openAssistant, settingsFolder } from './story/assistant.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { modelUrl, openclawVersion } from './story/openclaw.ts'
import { visit } from './story/visit.ts'

describe('the assistant', { timeout: 1_500_000 }, () => {
  let host: Host
  let on: AssistantHost
  before(async () => {
    host = await bootHost('assistant')
    on = await openAssistant(host)
  })
  after(() => host?.remove())

  it('is set up, asked and given secrets by its guide', { timeout: 900_000 }, async () => {
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/assistant.md'), 'utf8'))
    const [setup = '', ...others] = blocks.slice(0, -1)
    // what it may change waits for a person all the same
    const writing = setup.replace('{\\"owner\\"', '{\\"read_only\\":false,\\"owner\\"')
    assert.notEqual(writing, setup)
    const output = await runAll(host, on.panel, [`MODEL_URL=${modelUrl}`, writing, ...others], 800_000)
    assert.match(output, /"reply":"You said: Which websites are on this host\?"/)
    assert.match(output, /hostreeve-vault-1\./)
    const status = await on.must('GET', '/status')
    assert.deepEqual(
      [status.version, status.running, status.ready, status.reason],
      [openclawVersion, true, true, null],
    )
    const { stdout } = await host.must(['ps', '-o', 'user=', '-u', 'ai'])
    assert.match(stdout, /^ai\b/m)
  })

  it('cannot change its own configuration, and reads no file of the panel', async () => {
    const asAssistant = (...argv: readonly string[]) =>
      host.exec(['setpriv', '--reuid=ai', '--regid=ai', '--init-groups', '--', ...argv])
    assert.equal((await stat(join(host.rootPath, settingsFolder, 'environment'))).mode & 0o777, 0o640)
    for (const name of ['openclaw.json', 'environment'])
      assert.notEqual((await asAssistant('tee', `/${settingsFolder}/${name}`)).code, 0, name)
    assert.equal((await asAssistant('cat', `/${settingsFolder}/openclaw.json`)).code, 0)
    assert.notEqual((await asAssistant('ls', on.panel.environment.HOSTREEVE_DATA_DIR)).code, 0)
  })

  it('streams its answer, and uses the panel through MCP, which the activity shows', async () => {
    const { bytes } = await on.ask('POST', '/chat-stream', { message: 'use the panel' })
    const events = bytes
      .toString()
      .split('\n')
      .flatMap((line) => (line.startsWith('data:') ? [JSON.parse(line.slice(5))] : []))
    assert.equal(events[0].type, 'start')
    const { stdout: log } = await host.exec([
      'journalctl',
      '--no-pager',
      '--lines=60',
      '--unit',
      assistantUnit,
    ])
    assert.match(events.at(-1).content, /The panel said: HTTP 200/, log)
    assert.ok(
      events.some(({ type, name }) => type === 'tool' && /list_plugins/.test(name)),
      JSON.stringify(events),
    )
    const { items } = await on.admin.must('GET', '/api/activity?sort=-id')
    assert.ok(items.some(({ action }: { action: string }) => action === 'mcp_tool_called'))
    assert.match((await on.must('GET', '/chat/poll')).lastReply, /The panel said/)
  })

  it('deletes a website only after a person has approved it', { timeout: 600_000 }, async () => {
    await on.admin.installNginx()
    const owner = await on.admin.makeOwner('ada')
    const draft = { domain: 'ada.example.com', type: 'static' }
    const { id } = await owner.signedIn.must('POST', '/api/websites', draft)
    const [key] = await on.admin.must('GET', '/api/mcp-keys')
    assert.deepEqual([key.name, key.read_only, key.approve], ['Assistant', false, true])
    const site = async () => (await on.admin.ask('GET', `/api/websites/${id}`)).status
    const page = async () => (await visit(host, draft.domain)).text
    const served = await page()
    const waiting = async () => (await on.admin.must('GET', '/api/mcp-keys/approvals?state=pending')).items
    /** Asks the assistant for it, and returns the change that waits. */
    const asked = async () => {
      assert.deepEqual(await waiting(), [])
      assert.match(await on.chat(`Please delete the website ${id}`), /The panel said: HTTP 202/)
      const [plan, ...others] = await waiting()
      const { method, path, key_id, key_name } = plan
      assert.deepEqual(
        [method, path, key_id, key_name, others],
        ['DELETE', `/api/websites/${id}`, key.id, 'Assistant', []],
      )
      assert.deepEqual([await site(), await page()], [200, served], 'it is there while the change waits')
      return plan.id
    }

    await on.admin.must('POST', `/api/mcp-keys/approvals/${await asked()}/reject`)
    assert.deepEqual([await site(), await page(), await waiting()], [200, served, []])

    const approved = await on.admin.must('POST', `/api/mcp-keys/approvals/${await asked()}/approve`)
    await on.admin.followJob(approved.job_id)
    assert.equal(await site(), 404)
    assert.notEqual(await page(), served)
    const { items } = await on.admin.must('GET', '/api/activity?sort=-id&limit=50')
    const deleted = items.find(({ action }: { action: string }) => /delete_website/.test(action))
    assert.equal(deleted?.mcp_key_id, key.id, JSON.stringify(items.map(({ action }: any) => action)))
  })

  it('runs its crontab under its account', async () => {
    await on.must('PUT', '/crontab', { jobs: [{ schedule: '@daily', command: 'id -un' }] })
    assert.match((await host.must(['crontab', '-u', 'ai', '-l'])).stdout, /^@daily id -un$/m)
    await on.must('PUT', '/crontab', { jobs: [] })
    assert.notEqual((await host.exec(['crontab', '-u', 'ai', '-l'])).code, 0)
  })

  it('is removed with everything', { timeout: 900_000 }, async () => {
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/assistant.md'), 'utf8'))
    const setting = blocks[0]?.split('\n')[0] ?? ''
    const [purge = '', destroy = ''] = (blocks.at(-1) ?? '').split('\n')
    const { token } = (await on.config()).gateway.auth
    const environment = await readFile(join(host.rootPath, settingsFolder, 'environment'), 'utf8')
    const panelKey = /mcp_[0-9a-f]{64}/.exec(environment)?.[0] ?? assert.fail(environment)
    await runAll(host, on.panel, [setting, purge], 400_000)
    const secrets = ['sk-stand-in', 'gsk-another-key', 'a-token-of-a-service', token, panelKey]
    const folders = ['/etc', '/home', '/var', '/tmp', on.panel.environment.HOSTREEVE_DATA_DIR]
    const left = await host.exec(['grep', '-rlaF', ...secrets.flatMap((each) => ['-e', each]), ...folders])
    assert.equal(left.stdout, '')
    await runAll(host, on.panel, [setting, destroy], 400_000)
    assert.notEqual((await host.exec(['id', 'ai'])).code, 0)
    assert.equal((await on.must('GET', '/status')).set_up, false)
    assert.deepEqual(await on.admin.must('GET', '/api/mcp-keys'), [])
  })
})
