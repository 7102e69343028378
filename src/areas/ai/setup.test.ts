import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { on as scripted } from '../../host/testing/scripted-run.ts'
import { type AssistantPanel, openAssistantPanel } from './testing/assistant-panel.ts'

describe('the setup of the assistant', () => {
  let on: AssistantPanel
  beforeEach(async () => {
    on = await openAssistantPanel()
  })
  afterEach(() => on.close())
  const keys = async () => (await on.panel.request('GET', '/api/mcp-keys', { as: on.panel.admin })).data

  test('installs, configures and starts it, with a key of the panel in the name of the caller', async () => {
    assert.equal((await on.ask('GET', '/status')).data.set_up, false)
    assert.equal((await on.setUp()).state, 'succeeded')
    const { data } = await on.ask('GET', '/status')
    assert.deepEqual(
      [data.set_up, data.version, data.running, data.model, data.hive],
      [true, '2026.9.6', true, 'custom/m1', true],
    )
    const { gateway, mcp, models } = on.config()
    assert.deepEqual([gateway.bind, gateway.auth.mode], ['loopback', 'token'])
    assert.equal(mcp.servers.hostreeve.url, 'http://127.0.0.1:7070/api/mcp')
    assert.equal(models.providers.custom.apiKey, '${CUSTOM_API_KEY}')
    assert.match(on.environment(), /^CUSTOM_API_KEY='sk-stand-in-0123456789'$/m)
    const [key] = await keys()
    assert.deepEqual([key.name, key.user_id, key.read_only], ['Assistant', on.keeper.id, true])
    const file = statSync(`${on.panel.root}/etc/hostreeve-assistant/environment`)
    assert.deepEqual([file.mode & 0o777, file.uid, file.gid], [0o640, 0, on.accounts.get('ai')?.uid])
    assert.deepEqual(on.service, { isActive: true, isEnabled: true })
  })

  test('the key that it wrote admits the assistant to MCP alone', async () => {
    await on.setUp()
    const token = /HOSTREEVE_MCP_KEY='(mcp_[0-9a-f]{64})'/.exec(on.environment())?.[1] ?? ''
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_plugins', arguments: {} },
    }
    const { json } = await on.panel.request('POST', '/api/mcp', { as: token, body: call })
    assert.match(json.result.content[0].text, /^HTTP (200|403)/)
    const params = { name: 'api_call', arguments: { method: 'DELETE', path: '/websites/1' } }
    const deletion = await on.panel.request('POST', '/api/mcp', { as: token, body: { ...call, params } })
    assert.match(deletion.json.result.content[0].text, /This key is read-only/)
    assert.equal((await on.panel.request('GET', '/api/ai/config', { as: token })).status, 401)
    const [key] = await keys()
    const { data } = await on.panel.request('GET', '/api/activity?sort=-id', { as: on.panel.admin })
    const entry = data.items.find(({ action }: { action: string }) => action === 'mcp_tool_called')
    assert.ok(entry !== undefined && JSON.stringify(entry).includes(String(key.id)))
  })

  test('shows none of its secrets in the activity', async () => {
    await on.setUp()
    const { text } = await on.panel.request('GET', '/api/activity?limit=100', { as: on.panel.admin })
    assert.doesNotMatch(text, /sk-stand-in|mcp_[0-9a-f]{20}/)
    assert.ok(!text.includes(on.config().gateway.auth.token))
  })

  test('is undone as a whole where npm fails, or OpenClaw refuses the configuration', async () => {
    on.programs.npmFails = 'npm ERR! 404 openclaw'
    const failed = await on.setUp()
    assert.match(failed.message, /404 openclaw/)
    on.programs.npmFails = undefined
    on.programs.issues = [{ path: 'agents.defaults', message: 'unknown key' }]
    assert.match((await on.setUp()).message, /agents\.defaults: unknown key/)
    assert.equal(on.accounts.has('ai'), false)
    assert.equal(
      await on.panel.host.files.facts('/etc/systemd/system/hostreeve-assistant.service'),
      undefined,
    )
    assert.deepEqual([await keys(), (await on.ask('GET', '/status')).data.set_up], [[], false])
  })

  test('refuses what would not work before anything is done', async () => {
    const draft = { provider: 'custom', model: 'm1', api_key: 'k', base_url: 'http://127.0.0.1:9/v1' }
    for (const wrong of [
      { provider: 'unknown' },
      { model: '-x' },
      { model: 'a\nb' },
      { api_key: 'a\nb' },
      { api_key: '' },
      { base_url: 'ftp://x' },
      { base_url: 'http://u:p@x/v1' },
      { base_url: undefined },
      { version: '../../etc' },
      { version: 'latest' },
      { scopes: ['nonsense'] },
    ])
      assert.deepEqual(
        (await on.failureOf('POST', '/setup', { ...draft, ...wrong })).slice(0, 2),
        [400, 'bad_request'],
        JSON.stringify(wrong),
      )
    on.accounts.set('ai', { uid: 1500 })
    await on.panel.person({ username: 'ai' })
    assert.deepEqual((await on.failureOf('POST', '/setup', draft)).slice(0, 2), [409, 'conflict'])
  })

  test('is refused a second time; what needs it is 503 before', async () => {
    for (const [method, path, body] of [
      ['POST', '/restart'],
      ['POST', '/stop'],
      ['POST', '/destroy'],
      ['POST', '/reconfigure-hive', {}],
      ['POST', '/config', { credentials: { openai: 'sk' } }],
      ['POST', '/vault', { name: 'A', value: 'b' }],
      ['POST', '/webconsole/start'],
      ['POST', '/advanced/purge-credentials'],
      ['POST', '/chat', { message: 'hi' }],
    ] as const)
      assert.deepEqual((await on.failureOf(method, path, body)).slice(0, 2), [503, 'ai_not_configured'], path)
    await on.setUp()
    await assert.rejects(on.setUp(), /conflict/)
  })

  test('is refused while it is under way, and so is a second update', async () => {
    const draft = { provider: 'openai', model: 'm1', api_key: 'k' }
    on.gateway.isReady = false
    const answers = await Promise.all([on.ask('POST', '/setup', draft), on.ask('POST', '/setup', draft)])
    const [done, refused] = answers.toSorted((one, other) => one.status - other.status)
    assert.deepEqual([done.status, refused.status, refused.error.code], [202, 409, 'already_running'])
    assert.deepEqual((await on.failureOf('POST', '/setup', draft)).slice(0, 2), [409, 'already_running'])
    on.gateway.isReady = true
    assert.equal((await on.followJob(done.data.job_id)).state, 'succeeded')
    assert.deepEqual((await on.failureOf('POST', '/setup', draft)).slice(0, 2), [409, 'conflict'])

    on.gateway.isReady = false
    const update = await on.ask('POST', '/update-agent', { version: '2026.10.2' })
    assert.equal(update.status, 202)
    const again = await on.failureOf('POST', '/update-agent', { version: '2026.10.3' })
    assert.deepEqual(again.slice(0, 2), [409, 'already_running'])
    on.gateway.isReady = true
    assert.equal((await on.followJob(update.data.job_id)).state, 'succeeded')
  })

  test('stop, restart and destroy', async () => {
    await on.setUp()
    assert.equal((await on.ask('POST', '/stop')).status, 200)
    assert.deepEqual(on.service, { isActive: false, isEnabled: false })
    assert.equal((await on.ask('POST', '/restart')).status, 200)
    assert.deepEqual(on.service, { isActive: true, isEnabled: true })
    const plan = await on.ask('POST', '/destroy?plan=1')
    assert.match(JSON.stringify(plan.data.steps), /its memory and its conversations/)
    on.failing = (argv) =>
      argv[0] === 'userdel' ? { code: 1, stderr: 'userdel: the disk is full' } : undefined
    assert.deepEqual((await on.failureOf('POST', '/destroy')).slice(0, 2), [500, 'account_failed'])
    on.failing = () => undefined
    assert.deepEqual([(await on.ask('GET', '/status')).data.ready, on.accounts.has('ai')], [true, true])
    assert.equal((await on.ask('POST', '/destroy')).status, 200)
    assert.deepEqual([on.accounts.has('ai'), await keys()], [false, []])
    assert.deepEqual(await on.panel.host.files.list('/etc/hostreeve-assistant'), [])
    assert.equal((await on.ask('GET', '/status')).data.set_up, false)
    assert.equal((await on.setUp()).state, 'succeeded')
  })

  test('quotes the service where it does not start, and tells that it is not ready', async () => {
    await on.setUp()
    on.failing = scripted('systemctl --no-ask-password restart -- hostreeve-assistant.service', {
      code: 1,
      stderr: 'status 78',
    })
    const [status, code, message] = await on.failureOf('POST', '/restart')
    assert.deepEqual([status, code, /status 78/.test(message)], [500, 'service_failed', true])
  })

  test('an update uses the new version once it is ready, and removes the former one', async () => {
    await on.setUp()
    const update = async (body: object) => {
      const { data } = await on.ask('POST', '/update-agent', body)
      return on.followJob(data.job_id)
    }
    assert.equal((await update({})).state, 'succeeded')
    const { data } = await on.ask('GET', '/update-agent/status')
    assert.deepEqual([data.version, data.running, data.state], ['2026.10.1', false, 'succeeded'])
    assert.deepEqual(await on.panel.host.files.list('/usr/local/lib/hostreeve/openclaw/versions'), [
      '2026.10.1',
    ])
    assert.equal((await update({})).state, 'succeeded')
    on.programs.npmFails = 'npm ERR! network'
    assert.deepEqual((await on.failureOf('POST', '/update-agent', {})).slice(0, 2), [500, 'install_failed'])
    const wrong = await on.failureOf('POST', '/update-agent', { version: '../x' })
    assert.deepEqual(wrong.slice(0, 2), [400, 'bad_request'])
    assert.equal((await on.ask('GET', '/status')).data.version, '2026.10.1')
  })

  test('a new key of the panel replaces the former one', async () => {
    await on.setUp()
    const [former] = await keys()
    const body = { read_only: false, scopes: ['websites_management'] }
    assert.equal((await on.ask('POST', '/reconfigure-hive', body)).status, 200)
    const [key, ...others] = await keys()
    assert.deepEqual([key.scopes, key.read_only, others], [['websites_management'], false, []])
    assert.notEqual(key.id, former.id)
    assert.ok(on.environment().includes(key.key_prefix))
  })

  test('tells that its key of the panel ended or the panel was removed, and connects again', async () => {
    await on.setUp()
    const hive = async () => (await on.ask('GET', '/status')).data.hive
    const as = on.panel.admin
    const connect = async () => {
      assert.equal(await hive(), false)
      assert.equal((await on.ask('POST', '/reconfigure-hive', {})).status, 200)
      assert.equal(await hive(), true)
      assert.equal((await keys()).length, 1)
      assert.ok(on.environment().includes((await keys())[0].key_prefix))
    }
    assert.equal(await hive(), true)
    await on.panel.request('DELETE', `/api/mcp-keys/${(await keys())[0].id}`, { as })
    await connect()
    await on.panel.request('POST', `/api/mcp-keys/${(await keys())[0].id}/toggle`, { as })
    await connect()
    assert.equal((await on.ask('POST', '/advanced/reset-config')).status, 200)
    await connect()
    await on.panel.request('DELETE', `/api/mcp-keys/${(await keys())[0].id}`, { as })
    assert.equal((await on.ask('POST', '/destroy')).status, 200)
  })

  test('acts in the name of another user only if an administrator says so', async () => {
    const owner = on.panel.admin.email
    const draft = { provider: 'openai', model: 'm1', api_key: 'k', owner }
    assert.deepEqual((await on.failureOf('POST', '/setup', draft)).slice(0, 2), [403, 'forbidden'])
    await on.setUp({ owner: on.keeper.email })
    const as = on.panel.admin
    const unknown = { owner: 'nobody@example.com' }
    const refused = await on.panel.request('POST', '/api/ai/reconfigure-hive', { as, body: unknown })
    assert.deepEqual([refused.status, refused.error.code], [400, 'bad_request'])
    const named = { owner: on.keeper.email, read_only: false }
    assert.equal(
      (await on.panel.request('POST', '/api/ai/reconfigure-hive', { as, body: named })).status,
      200,
    )
    assert.equal((await keys())[0].user_id, on.keeper.id)
  })

  test('never changes itself, also with a key that may write', async () => {
    await on.setUp({ read_only: false })
    const token = /HOSTREEVE_MCP_KEY='(mcp_[0-9a-f]{64})'/.exec(on.environment())?.[1] ?? ''
    for (const path of ['/ai/config', '/ai/reconfigure-hive', '/ai/chat', '/ai/stop']) {
      const params = { name: 'api_call', arguments: { method: 'POST', path, body: {} } }
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      const { json } = await on.panel.request('POST', '/api/mcp', { as: token, body: call })
      assert.match(json.result.content[0].text, /Agents cannot call this endpoint/)
    }
  })

  test('is for administrators alone', async () => {
    const person = await on.panel.person()
    for (const [method, path] of [
      ['GET', '/status'],
      ['GET', '/config'],
      ['GET', '/chat/poll'],
      ['GET', '/vault'],
      ['GET', '/webconsole/status'],
      ['GET', '/crontab'],
      ['GET', '/update-agent/status'],
      ['GET', '/channel-a/config'],
      ['POST', '/setup'],
      ['POST', '/advanced/clear-sessions'],
    ] as const)
      assert.equal((await on.panel.request(method, `/api/ai${path}`, { as: person })).status, 403, path)
  })
})
