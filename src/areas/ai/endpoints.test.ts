import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { after, before, beforeEach, describe, test } from 'node:test'
import { DiskFull } from '../../host/files.ts'
import { type AssistantPanel, openAssistantPanel } from './testing/assistant-panel.ts'

const configPath = '/etc/hostreeve-assistant/openclaw.json'
const environmentPath = '/etc/hostreeve-assistant/environment'

let on: AssistantPanel
let first: { readonly config: string; readonly environment: string }
before(async () => {
  on = await openAssistantPanel()
  await on.setUp()
  first = { config: JSON.stringify(on.config()), environment: on.environment() }
})
after(() => on.close())
beforeEach(() => {
  on.write(configPath, first.config)
  on.write(environmentPath, first.environment)
  on.failing = () => undefined
  Object.assign(on.service, { isActive: true, isEnabled: true })
  Object.assign(on.programs, { issues: [], crontab: undefined, crontabFails: false })
  Object.assign(on.gateway, {
    fault: 'none',
    hasTool: false,
    reply: ['Hello ', 'Ada'],
    token: on.config().gateway.auth.token,
  })
  on.gateway.methods.clear()
  on.gateway.calls.splice(0)
})
const ask = (method: string, path: string, body?: unknown) => on.ask(method, path, body)
const codeOf = async (method: string, path: string, body?: unknown) =>
  (await on.failureOf(method, path, body)).slice(0, 2)

describe('the configuration of the assistant', () => {
  test('is shown with its secrets masked, and with the keys of its providers', async () => {
    const { data, text } = await ask('GET', '/config')
    assert.equal(data.credentials.custom_base_url, 'http://127.0.0.1:9/v1')
    assert.match(data.credentials.custom, /^sk-s.*6789$/)
    assert.ok(!text.includes(on.config().gateway.auth.token) && !text.includes('sk-stand-in-0123456789'))
    assert.equal(data.config.models.providers.custom.apiKey, '${CUSTOM_API_KEY}')
  })

  test('comes back as it was shown without a loss, and keeps the former one as a version', async () => {
    const { data } = await ask('GET', '/config')
    const config = { ...data.config, agents: { defaults: { model: { primary: 'custom/m2' } } } }
    const reply = await ask('POST', '/config', { config, credentials: data.credentials })
    assert.deepEqual(reply.data, { success: true })
    assert.equal(on.config().agents.defaults.model.primary, 'custom/m2')
    assert.equal(on.config().gateway.auth.token, JSON.parse(first.config).gateway.auth.token)
    assert.equal(on.environment(), first.environment)
    const [version] = (await ask('GET', '/config/versions')).data.versions
    assert.equal((await ask('POST', '/config/restore', { version: version.version })).status, 200)
    assert.equal(on.config().agents.defaults.model.primary, 'custom/m1')
    assert.deepEqual(await codeOf('POST', '/config/restore', { version: 999 }), [404, 'not_found'])
  })

  test('keeps 20 versions', async () => {
    for (let count = 0; count < 22; count += 1)
      await ask('POST', '/config', { config: { ...on.config(), logging: { level: `l${count}` } } })
    assert.equal((await ask('GET', '/config/versions')).data.versions.length, 20)
  })

  test('sets, keeps and removes keys; providers that are unknown are ignored', async () => {
    const credentials = {
      openai: "sk-o'1",
      groq: 'gsk-1234567890',
      nonsense: 'x',
      custom_base_url: 'https://m.example.com/v1',
    }
    assert.equal((await ask('POST', '/config', { credentials })).status, 200)
    assert.match(on.environment(), /^OPENAI_API_KEY=`sk-o'1`$/m)
    assert.doesNotMatch(on.environment(), /nonsense/i)
    assert.equal(on.config().models.providers.custom.baseUrl, 'https://m.example.com/v1')
    await ask('POST', '/config', { credentials: { openai: '', groq: 'gsk-••••••••7890' } })
    assert.doesNotMatch(on.environment(), /OPENAI/)
    assert.match(on.environment(), /^GROQ_API_KEY='gsk-1234567890'$/m)
  })

  test('must be an object of a usual size and depth', async () => {
    const deep = '{"a":'.repeat(200) + '1' + '}'.repeat(200)
    for (const config of [[], 'text', 7, null, JSON.parse(deep), { a: 'x'.repeat(600_000) }])
      assert.deepEqual(await codeOf('POST', '/config', { config }), [400, 'invalid_json'])
    assert.deepEqual(await codeOf('POST', '/config', 'no JSON'), [400, 'invalid_json'])
    const large = await ask('POST', '/config', { config: { a: 'x'.repeat(5_000_000) } })
    assert.ok([400, 413].includes(large.status))
    assert.equal(JSON.stringify(on.config()), first.config)
  })

  test('must keep the assistant on loopback, and keys on one line', async () => {
    const { gateway, ...others } = on.config()
    for (const changed of [{ bind: 'lan' }, { bind: 'custom' }, { port: 80 }]) {
      const config = { ...others, gateway: { ...gateway, ...changed } }
      assert.deepEqual(await codeOf('POST', '/config', { config }), [400, 'bad_request'])
    }
    for (const key of ['a\nb', 'a\u0000b', '\'`"'])
      assert.deepEqual(await codeOf('POST', '/config', { credentials: { openai: key } }), [
        400,
        'bad_request',
      ])
    for (const url of ['file:///etc/passwd', 'x', 'http://u:p@host/'])
      assert.deepEqual(await codeOf('POST', '/config', { credentials: { custom_base_url: url } }), [
        400,
        'bad_request',
      ])
  })

  const withGateway = (more: object, others: object = {}) => {
    const config = on.config()
    return { ...config, ...others, gateway: { ...config.gateway, ...more } }
  }
  const refusesKey = async (path: string, body: object, key: string) => {
    const [status, code, message] = await on.failureOf('POST', path, body)
    assert.deepEqual([status, code], [400, 'bad_request'], key)
    assert.ok(message.startsWith(`config: ${key} must be `), `${key}: ${message}`)
  }

  test('keeps the sign-in and the reach of the gateway: what would undo them is refused with its key', async () => {
    const { auth, controlUi } = on.config().gateway
    const { hostreeve } = on.config().mcp.servers
    const evil = { ...hostreeve, url: 'http://192.0.2.1/api/mcp' }
    const key = '${HOSTREEVE_MCP_KEY}'
    const cases: readonly (readonly [string, object])[] = [
      ['gateway.auth.mode', withGateway({ auth: { ...auth, mode: 'none' } })],
      ['gateway.auth.mode', withGateway({ auth: { ...auth, mode: 'trusted-proxy' } })],
      ['gateway.auth.mode', withGateway({ auth: { ...auth, mode: null } })],
      ['gateway.auth.token', withGateway({ auth: { ...auth, token: '' } })],
      ['gateway.auth.token', withGateway({ auth: { ...auth, token: '${A_TOKEN}' } })],
      ['gateway.auth.token', withGateway({ auth: { ...auth, token: { source: 'env', id: 'A' } } })],
      ['gateway.auth.allowTailscale', withGateway({ auth: { ...auth, allowTailscale: true } })],
      ['gateway.auth', withGateway({ auth: 'none' })],
      ['gateway', { ...on.config(), gateway: [] }],
      ['gateway.mode', withGateway({ mode: 'remote' })],
      ['gateway.bind', withGateway({ bind: 'lan' })],
      ['gateway.bind', withGateway({ bind: '${BIND}' })],
      ['gateway.port', withGateway({ port: 80 })],
      ['gateway.customBindHost', withGateway({ customBindHost: '0.0.0.0' })],
      ['gateway.tailscale.mode', withGateway({ tailscale: { mode: 'funnel' } })],
      ['gateway.tailscale.mode', withGateway({ tailscale: { mode: 'serve' } })],
      ['gateway.tls.enabled', withGateway({ tls: { enabled: true } })],
      ['gateway.trustedProxies', withGateway({ trustedProxies: [] })],
      ['gateway.trustedProxies', withGateway({ trustedProxies: ['127.0.0.1', '0.0.0.0/0'] })],
      ['gateway.allowRealIpFallback', withGateway({ allowRealIpFallback: true })],
      [
        'gateway.nodes.pairing.autoApproveCidrs',
        withGateway({ nodes: { pairing: { autoApproveCidrs: ['::/0'] } } }),
      ],
      ...[
        'allowInsecureAuth',
        'dangerouslyDisableDeviceAuth',
        'dangerouslyAllowHostHeaderOriginFallback',
      ].map(
        (name) =>
          [`gateway.controlUi.${name}`, withGateway({ controlUi: { ...controlUi, [name]: true } })] as const,
      ),
      [
        'gateway.controlUi.allowedOrigins',
        withGateway({ controlUi: { ...controlUi, allowedOrigins: ['*'] } }),
      ],
      ['env', withGateway({}, { env: { NODE_OPTIONS: '--require=/home/ai/x.js' } })],
      ['$include', withGateway({}, { $include: '/home/ai/more.json5' })],
      ['agents.defaults.$include', withGateway({}, { agents: { defaults: { $include: ['./x.json5'] } } })],
      [
        'hooks.gmail.tailscale.mode',
        withGateway({}, { hooks: { gmail: { tailscale: { mode: 'funnel' } } } }),
      ],
      [
        'plugins.voice.tunnel.provider',
        withGateway({}, { plugins: { voice: { tunnel: { provider: 'ngrok' } } } }),
      ],
      [
        'channels.telegram.webhookHost',
        withGateway({}, { channels: { telegram: { webhookHost: '0.0.0.0' } } }),
      ],
      ['mcp.servers.hostreeve', withGateway({}, { mcp: { servers: { hostreeve: evil } } })],
      [
        'mcp.servers.other.headers.X',
        withGateway({}, { mcp: { servers: { hostreeve, other: { headers: { X: key } } } } }),
      ],
      [
        'models.providers.x.baseUrl',
        withGateway({}, { models: { providers: { x: { baseUrl: `http://192.0.2.1/${key}` } } } }),
      ],
    ]
    for (const [name, config] of cases) {
      await refusesKey('/config', { config }, name)
      await refusesKey('/config?plan=1', { config }, name)
    }
    assert.equal(JSON.stringify(on.config()), first.config)
    const url = 'http://192.0.2.1/${HOSTREEVE_MCP_KEY}'
    assert.deepEqual(await codeOf('POST', '/config', { credentials: { custom_base_url: url } }), [
      400,
      'bad_request',
    ])
  })

  test('gets what the panel relies on where that is left out', async () => {
    assert.equal((await ask('POST', '/config', { config: { a: 1 } })).status, 200)
    const { mode, bind, port, auth, trustedProxies } = on.config().gateway
    const { gateway } = JSON.parse(first.config)
    assert.deepEqual(
      { mode, bind, port, auth, trustedProxies },
      {
        mode: 'local',
        bind: 'loopback',
        port: gateway.port,
        auth: gateway.auth,
        trustedProxies: ['127.0.0.1'],
      },
    )
  })

  test('that was opened by hand is neither restored nor edited further, and repaired', async () => {
    const { auth } = on.config().gateway
    const opened = withGateway({ auth: { ...auth, mode: 'none' } })
    on.write(configPath, JSON.stringify(opened))
    await refusesKey('/channel-a/config', { token: '777:STANDIN' }, 'gateway.auth.mode')
    await refusesKey('/webconsole/enable-lan', { port: 7560 }, 'gateway.auth.mode')
    await refusesKey('/webconsole/stop', {}, 'gateway.auth.mode')
    await refusesKey('/reconfigure-hive', {}, 'gateway.auth.mode')
    await refusesKey(
      '/config',
      { credentials: { custom_base_url: 'https://m.example.com/v1' } },
      'gateway.auth.mode',
    )
    assert.equal(JSON.stringify(on.config()), JSON.stringify(opened))
    for (const path of ['/webconsole/fix', '/advanced/reset-config', '/advanced/purge-credentials']) {
      on.write(configPath, JSON.stringify(opened))
      assert.equal((await ask('POST', path)).status, 200, path)
      assert.equal(on.config().gateway.auth.mode, 'token', path)
      const [{ version }] = (await ask('GET', '/config/versions')).data.versions
      await refusesKey('/config/restore', { version }, 'gateway.auth.mode')
    }
    on.write(configPath, first.config)
    on.write(environmentPath, first.environment)
    assert.equal((await ask('POST', '/reconfigure-hive', {})).status, 200)
    first = { config: JSON.stringify(on.config()), environment: on.environment() }
  })

  test('takes a mask for the secret at its place alone', async () => {
    const accounts = [
      { name: 'one', token: 'one-secret-of-one' },
      { name: 'two', token: 'two-secret-of-two' },
    ]
    const config = { ...on.config(), channels: { chat: { accounts } } }
    assert.equal((await ask('POST', '/config', { config })).status, 200)
    const read = (await ask('GET', '/config')).data.config
    const [one, two] = read.channels.chat.accounts
    const sent = (chat: object) => ask('POST', '/config', { config: { ...read, channels: { chat } } })
    assert.equal((await sent({ accounts: [{ ...one, name: 'ONE' }, two] })).status, 200)
    assert.equal(on.config().channels.chat.accounts[0].token, 'one-secret-of-one')
    for (const [path, chat] of [
      ['accounts.0.token', { accounts: [two, one] }],
      ['accounts.0.token', { accounts: [two] }],
      ['accounts.2.token', { accounts: [one, two, one] }],
      ['renamed.0.token', { renamed: [one] }],
      ['accounts.0.note', { accounts: [{ name: 'one', note: one.token }] }],
      ['accounts.0.token', { accounts: [{ ...one, token: '••••••••' }] }],
    ] as const) {
      const { status, error } = await sent(chat)
      assert.deepEqual([status, error?.code], [400, 'bad_request'], path)
      assert.ok(error.message.startsWith(`config: channels.chat.${path} has a mask`), error.message)
    }
    assert.equal(on.config().channels.chat.accounts[1].token, 'two-secret-of-two')
  })

  test('takes no mask of one secret for another', async () => {
    await ask('POST', '/config', { credentials: { openai: 'sk-openai-1234', groq: 'gsk-groq-56789' } })
    await ask('POST', '/vault', { name: 'ONE', value: 'the value of one' })
    const { credentials } = (await ask('GET', '/config')).data
    for (const [field, path, body] of [
      ['credentials.openai', '/config', { credentials: { openai: credentials.groq } }],
      ['credentials.google', '/config', { credentials: { google: credentials.groq } }],
      ['value', '/vault', { name: 'ONE', value: credentials.groq }],
      ['token', '/channel-a/config', { token: credentials.groq }],
    ] as const) {
      const [status, code, message] = await on.failureOf('POST', path, body)
      assert.deepEqual([status, code], [400, 'bad_request'], field)
      assert.ok(message.startsWith(`${field}: is a mask`), message)
    }
    assert.match(on.environment(), /^OPENAI_API_KEY='sk-openai-1234'$/m)
  })

  test('names the key of the custom provider only while there is one', async () => {
    const named = () => on.config().models.providers.custom.apiKey
    await ask('POST', '/config', { credentials: { custom: '' } })
    assert.deepEqual([named(), /CUSTOM_API_KEY/.test(on.environment())], [undefined, false])
    await ask('POST', '/config', { credentials: { custom: 'sk-another-key' } })
    assert.equal(named(), '${CUSTOM_API_KEY}')
    assert.match(on.environment(), /^CUSTOM_API_KEY='sk-another-key'$/m)
  })

  test('that OpenClaw refuses is not used, and its message is quoted', async () => {
    on.programs.issues = [{ path: 'gateway.mode', message: 'must be local' }]
    const [status, code, message] = await on.failureOf('POST', '/config', { config: { a: 1 } })
    assert.deepEqual([status, code], [400, 'bad_request'])
    assert.match(message, /^config: gateway\.mode: must be local\. /)
    assert.equal(JSON.stringify(on.config()), first.config)
    assert.deepEqual(await on.panel.host.files.list('/etc/hostreeve-assistant'), [
      'environment',
      'openclaw.json',
    ])
  })

  test('with which the assistant does not start is left again, and the former one is loaded', async () => {
    on.failing = (argv) =>
      argv.includes('restart') && on.config().a === 1 ? { code: 1, stderr: 'status 78' } : undefined
    assert.deepEqual(await codeOf('POST', '/config', { config: { ...on.config(), a: 1 } }), [
      500,
      'service_failed',
    ])
    assert.equal(JSON.stringify(on.config()), first.config)
    const restarts = on.panel.scripted.commands.filter((argv) => argv.includes('restart'))
    assert.ok(restarts.length >= 2)
  })

  test('may have comments, and what cannot be read is told', async () => {
    on.write(configPath, `// by hand\n{gateway: {auth: {token: 'abcdefghijkl'}}, a: 1,}`)
    assert.equal((await ask('GET', '/config')).data.config.a, 1)
    on.write(configPath, '{')
    assert.deepEqual(await codeOf('GET', '/config'), [500, 'parse_failed'])
    on.write(configPath, '[]')
    assert.deepEqual(await codeOf('GET', '/config'), [500, 'parse_failed'])
    writeFileSync(`${on.panel.root}${configPath}`, Buffer.alloc(17 * 1024 * 1024, 32))
    assert.deepEqual(await codeOf('GET', '/config'), [500, 'read_failed'])
  })

  test('on a full disk, nothing is changed', async () => {
    const { files } = on.panel.host
    const { write } = files
    Object.assign(files, {
      write: async () => {
        throw DiskFull(configPath)
      },
    })
    try {
      assert.deepEqual(await codeOf('POST', '/config', { config: { a: 1 } }), [500, 'write_failed'])
    } finally {
      Object.assign(files, { write })
    }
    assert.equal(JSON.stringify(on.config()), first.config)
  })
})

describe('the vault of the assistant', () => {
  const names = async () =>
    (await ask('GET', '/vault')).data.entries.map(({ name }: { name: string }) => name)

  test('has entries, which are shown masked, and removes them', async () => {
    assert.deepEqual(await names(), [])
    await ask('POST', '/vault', { name: 'DEPLOY_KEY', value: 'a long secret value' })
    await ask('POST', '/vault', { name: 'DEPLOY_KEY', value: 'a lo••••••••alue' })
    const { data, text } = await ask('GET', '/vault')
    assert.deepEqual([data.entries[0].name, text.includes('a long secret value')], ['DEPLOY_KEY', false])
    assert.match(on.environment(), /^DEPLOY_KEY='a long secret value'$/m)
    assert.equal((await ask('DELETE', '/vault/DEPLOY_KEY')).status, 200)
    assert.deepEqual(await names(), [])
    for (const name of ['DEPLOY_KEY', 'CUSTOM_API_KEY', '..%2F..%2Fetc', '__proto__'])
      assert.deepEqual(await codeOf('DELETE', `/vault/${name}`), [404, 'not_found'], name)
  })

  test('refuses names and values that are none, and those of the assistant itself', async () => {
    for (const name of ['a/b', '../a', '', '1A', 'A B', 'A=B', 'A\nB', 'x'.repeat(65), 7])
      assert.deepEqual(
        await codeOf('POST', '/vault', { name, value: 'v' }),
        [400, 'bad_request'],
        String(name),
      )
    for (const name of [
      'PATH',
      'NODE_OPTIONS',
      'LD_PRELOAD',
      'OPENCLAW_STATE_DIR',
      'HOSTREEVE_MCP_KEY',
      'OPENAI_API_KEY',
    ])
      assert.deepEqual(await codeOf('POST', '/vault', { name, value: 'v' }), [400, 'bad_request'], name)
    for (const value of ['', 'a\nb', 'x'.repeat(8193)])
      assert.deepEqual(await codeOf('POST', '/vault', { name: 'A', value }), [400, 'bad_request'])
    assert.deepEqual(await codeOf('POST', '/vault', { name: 'NEW', value: '••••••••' }), [404, 'not_found'])
  })

  test('is exported under a passphrase, and imported', async () => {
    await ask('POST', '/vault', { name: 'A', value: 'a secret of a service' })
    const passphrase = 'correct horse battery'
    const { data, text } = await ask('POST', '/vault/export', { passphrase })
    assert.ok(!text.includes('a secret of a service'))
    on.write(environmentPath, first.environment)
    assert.deepEqual((await ask('POST', '/vault/import', { export: data.export, passphrase })).data, {
      success: true,
      imported: 1,
    })
    assert.deepEqual(await names(), ['A'])
    for (const wrong of [
      { export: data.export, passphrase: 'another passphrase' },
      { export: `${data.export.slice(0, -4)}AAAA`, passphrase },
      { export: 'hostreeve-vault-1.a.b.c.d', passphrase },
      { export: '', passphrase },
      { export: data.export, passphrase: 'short' },
    ])
      assert.deepEqual(await codeOf('POST', '/vault/import', wrong), [400, 'bad_request'])
  })

  test('has room for 500 entries', async () => {
    const many = Array.from({ length: 500 }, (_, index) => `V${index}='x'`).join('\n')
    on.write(environmentPath, `${first.environment}${many}\n`)
    assert.deepEqual(await codeOf('POST', '/vault', { name: 'ONE_MORE', value: 'x' }), [409, 'conflict'])
  })
})

describe('the channels of the assistant', () => {
  test('are set up with a token, which is a variable and never in the configuration', async () => {
    const { data } = await ask('GET', '/channel-a/config')
    assert.deepEqual(data, { enabled: false, dm_policy: 'pairing', allow_from: [] })
    const draft = { token: '777:STANDIN-TOKEN', allow_from: ['4242'] }
    assert.deepEqual((await ask('POST', '/channel-a/config', draft)).data, { success: true })
    const { telegram } = on.config().channels
    assert.deepEqual(
      [telegram.enabled, telegram.botToken, telegram.dmPolicy, telegram.allowFrom],
      [true, '${TELEGRAM_BOT_TOKEN}', 'pairing', ['4242']],
    )
    assert.match(on.environment(), /^TELEGRAM_BOT_TOKEN='777:STANDIN-TOKEN'$/m)
    assert.doesNotMatch((await ask('GET', '/channel-a/config')).text, /STANDIN-TOKEN/)
    await ask('POST', '/channel-a/config', { enabled: false })
    assert.deepEqual(
      [on.config().channels.telegram.enabled, on.config().channels.telegram.botToken],
      [false, undefined],
    )
  })

  test('the second one is a plugin of the version in use', async () => {
    await ask('POST', '/channel-b/config', { token: 'discord-token' })
    const { channels, plugins } = on.config()
    assert.equal(channels.discord.token, '${DISCORD_BOT_TOKEN}')
    assert.match(plugins.load.paths[0], /versions\/[\d.]+\/node_modules\/@openclaw\/discord$/)
    assert.equal((await ask('GET', '/channel-b/config')).data.enabled, true)
  })

  test('refuse what is no token, policy or sender', async () => {
    for (const draft of [
      {},
      { token: '' },
      { token: 'a b' },
      { token: 'a\nb' },
      { token: 't', dm_policy: 'open' },
      { token: 't', allow_from: ['a b'] },
    ])
      assert.deepEqual(
        await codeOf('POST', '/channel-b/config', draft),
        [400, 'bad_request'],
        JSON.stringify(draft),
      )
  })

  test('list the senders that wait, and admit them', async () => {
    const waiting = {
      requestId: 'req-1',
      accountId: 'default',
      senderId: '4242',
      senderLabel: 'Ann',
      createdAt: '2026-11-28T10:00:00Z',
    }
    on.gateway.methods.set('channels.pairing.list', () => ({
      requests: [
        { ...waiting, channel: 'telegram' },
        { requestId: 'req-2', channel: 'discord' },
      ],
    }))
    on.gateway.methods.set('channels.pairing.approve', () => ({}))
    const { data } = await ask('GET', '/channel-a/pairings')
    assert.deepEqual(data, {
      pairings: [
        {
          request: 'req-1',
          account: 'default',
          sender: 'Ann · 4242',
          created_at: '2026-11-28T10:00:00.000Z',
        },
      ],
      reason: null,
    })
    assert.equal((await ask('POST', '/channel-a/pairings/approve', { request: 'req-1' })).status, 200)
    assert.deepEqual(on.gateway.calls.at(-1), [
      'channels.pairing.approve',
      { channel: 'telegram', accountId: 'default', requestId: 'req-1' },
    ])
    assert.deepEqual(await codeOf('POST', '/channel-a/pairings/approve', { request: 'other' }), [
      404,
      'not_found',
    ])
    assert.deepEqual(await codeOf('POST', '/channel-b/pairings/approve', { request: '../x' }), [
      400,
      'bad_request',
    ])
  })

  test('tell why the senders are not known, and browsers are admitted too', async () => {
    assert.match((await ask('GET', '/channel-b/pairings')).data.reason, /unknown method/)
    assert.deepEqual(await codeOf('POST', '/channel-b/pairings/approve', { request: 'x' }), [
      503,
      'gateway_error',
    ])
    on.gateway.methods.set('device.pair.list', () => ({
      pending: [{ requestId: 'dev-1', deviceId: 'd', platform: 'web' }],
    }))
    on.gateway.methods.set('device.pair.approve', () => ({}))
    const { data } = await ask('GET', '/status')
    assert.equal(data.pairings[0].request, 'dev-1')
    assert.equal((await ask('POST', '/pairing/approve', { request: 'dev-1' })).status, 200)
    assert.deepEqual(on.gateway.calls.at(-1), ['device.pair.approve', { requestId: 'dev-1' }])
  })
})

describe('the crontab of the assistant', () => {
  test('is listed and replaced', async () => {
    on.programs.crontab = '# x\nMAILTO=""\n0 4 * * *  tidy --all\n@daily report\n@every_minute odd thing\n'
    assert.deepEqual((await ask('GET', '/crontab')).data, [
      { schedule: '0 4 * * *', command: 'tidy --all' },
      { schedule: '@daily', command: 'report' },
      { schedule: '@every_minute', command: 'odd thing' },
    ])
    const jobs = [{ schedule: '*/5 * * * *', command: 'true' }]
    assert.equal((await ask('PUT', '/crontab', { jobs })).status, 200)
    assert.equal(on.programs.crontab, '# Written by Hostreeve.\n*/5 * * * * true\n')
    assert.deepEqual(await codeOf('PUT', '/crontab', {}), [400, 'bad_request'])
    assert.equal((await ask('PUT', '/crontab', { jobs: [] })).status, 200)
    assert.deepEqual([on.programs.crontab, (await ask('GET', '/crontab')).data], [undefined, []])
  })

  test('refuses lines that cron does not accept', async () => {
    for (const job of [
      { schedule: '* * * *', command: 'true' },
      { schedule: '61 * * * *', command: 'true' },
      { schedule: '@nonsense', command: 'true' },
      { schedule: '* * * * *', command: '' },
      { schedule: '* * * * *', command: 'a\n* * * * * root evil' },
      { schedule: '* * * * *', command: 'x'.repeat(999) },
      { schedule: 'MAILTO=x', command: 'true' },
    ])
      assert.deepEqual(await codeOf('PUT', '/crontab', { jobs: [job] }), [400, 'bad_request'], job.schedule)
    on.programs.crontabFails = true
    assert.deepEqual(await codeOf('GET', '/crontab'), [500, 'crontab_failed'])
  })
})

describe('the console of the assistant', () => {
  const site = () => on.panel.host.files.read(on.panel.tools.nginx.sitePath('hostreeve-assistant'))

  test('is stopped and started', async () => {
    const { data } = await ask('GET', '/webconsole/status')
    assert.deepEqual([data.enabled, data.running, data.lan], [true, true, false])
    assert.equal((await ask('POST', '/webconsole/stop')).status, 200)
    assert.equal(on.config().gateway.controlUi.enabled, false)
    assert.deepEqual(await codeOf('POST', '/webconsole/restart'), [409, 'conflict'])
    assert.deepEqual(await codeOf('POST', '/webconsole/enable-lan', {}), [409, 'conflict'])
    assert.equal((await ask('POST', '/webconsole/start')).status, 200)
    assert.equal((await ask('POST', '/webconsole/restart')).status, 200)
  })

  test('is shown to the network over TLS, with an open port, and hidden', async () => {
    assert.equal((await ask('POST', '/webconsole/enable-lan', { port: 7555 })).status, 200)
    const { data } = await ask('GET', '/webconsole/status')
    assert.deepEqual([data.lan, data.lan_port, /^https:.*:7555\/$/.test(data.lan_url)], [true, 7555, true])
    assert.match((await site()) ?? '', /listen 7555 ssl/)
    assert.equal(on.config().gateway.bind, 'loopback')
    const { checks } = (await ask('GET', '/webconsole/healthcheck')).data
    assert.deepEqual(checks.map(({ name, ok }: any) => [name, ok]).at(-1), ['lan', true])
    const { allowedOrigins: origins } = on.config().gateway.controlUi
    assert.ok(origins.includes(data.lan_url.replace(/\/$/, '')), origins.join())
    const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
    for (const { family, internal, address } of own)
      if (family === 'IPv4' && !internal) assert.ok(origins.includes(`https://${address}:7555`), address)
    assert.equal((await ask('POST', '/webconsole/disable-lan')).status, 200)
    assert.equal(await site(), undefined)
    assert.equal((await ask('GET', '/webconsole/status')).data.lan_url, null)
  })

  test('shows its token to a superuser who asks, and tells that in the activity', async () => {
    const { token } = on.config().gateway.auth
    const as = on.panel.admin
    const read = (query: string, who = as) =>
      on.panel.request('GET', `/api/ai/webconsole/status${query}`, { as: who })
    const masked = await read('')
    assert.ok(!masked.text.includes(token) && /•/.test(masked.data.token))
    assert.equal((await read('?reveal=1')).data.token, token)
    assert.equal((await read('?reveal=1', on.keeper)).status, 403)
    const { data } = await on.panel.request('GET', '/api/activity?search=Reveal', { as })
    assert.match(JSON.stringify(data.items), /Reveal secrets: Read whether the console/)
  })

  test('is repaired', async () => {
    on.write(configPath, JSON.stringify({ ...on.config(), gateway: { mode: 'remote' } }))
    on.service.isActive = false
    assert.equal((await ask('GET', '/webconsole/healthcheck')).data.healthy, false)
    assert.equal((await ask('POST', '/webconsole/fix')).status, 200)
    assert.equal(on.config().gateway.bind, 'loopback')
    assert.equal((await ask('GET', '/webconsole/healthcheck')).data.healthy, true)
  })

  test('takes no port of the assistant itself, or none at all', async () => {
    assert.deepEqual(await codeOf('POST', '/webconsole/enable-lan', { port: 18_789 }), [409, 'conflict'])
    for (const port of [0, 65_536, '7444', 1.5])
      assert.deepEqual(await codeOf('POST', '/webconsole/enable-lan', { port }), [400, 'bad_request'])
  })

  test('keeps a file of the web server that was edited by hand, and tells what nginx refuses', async () => {
    await ask('POST', '/webconsole/enable-lan', { port: 7556 })
    on.write(on.panel.tools.nginx.sitePath('hostreeve-assistant'), `${await site()}# by hand\n`)
    assert.deepEqual(await codeOf('POST', '/webconsole/enable-lan', { port: 7557 }), [409, 'edited_by_hand'])
    assert.equal((await ask('POST', '/webconsole/disable-lan')).status, 200)
    on.panel.nginx.refuse('nginx: bind() failed')
    assert.deepEqual(await codeOf('POST', '/webconsole/enable-lan', { port: 7558 }), [500, 'config_failed'])
    on.panel.nginx.refuse(undefined)
  })
})

describe('the advanced actions', () => {
  test('clear all conversations', async () => {
    on.gateway.methods.set('sessions.list', () => ({
      sessions: [{ key: 'agent:main:main' }, { key: 'agent:main:other' }],
    }))
    for (const method of ['sessions.reset', 'sessions.delete']) on.gateway.methods.set(method, () => ({}))
    assert.equal((await ask('POST', '/advanced/clear-sessions')).data.output, 'Cleared 2 conversations')
    assert.deepEqual(on.gateway.calls.slice(-2), [
      ['sessions.reset', { key: 'agent:main:main' }],
      ['sessions.delete', { key: 'agent:main:other' }],
    ])
  })

  test('purge all credentials, and the key of the panel', async () => {
    await ask('POST', '/channel-a/config', { token: '777:STANDIN' })
    await ask('POST', '/vault', { name: 'A', value: 'one' })
    assert.equal((await ask('POST', '/advanced/purge-credentials')).status, 200)
    assert.doesNotMatch(on.environment(), /=/)
    const text = JSON.stringify(on.config())
    assert.doesNotMatch(text, /\$\{|apiKey|STANDIN/)
    assert.notEqual(on.config().gateway.auth.token, JSON.parse(first.config).gateway.auth.token)
    assert.equal(on.config().channels.telegram.enabled, false)
    assert.equal((await ask('GET', '/status')).data.hive, false)
  })

  test('reset the configuration, and keep the former one', async () => {
    await ask('POST', '/config', { config: { ...on.config(), logging: { level: 'debug' } } })
    assert.equal((await ask('POST', '/advanced/reset-config')).status, 200)
    const { logging, channels, mcp, agents } = on.config()
    assert.deepEqual(
      [logging, channels, mcp, agents.defaults.model.primary],
      [undefined, {}, undefined, 'custom/m1'],
    )
    assert.ok((await ask('GET', '/config/versions')).data.versions.length > 0)
  })

  test('restart the gateway', async () => {
    assert.match(
      (await ask('POST', '/advanced/restart-gateway')).data.output,
      /^Restarted\. OpenClaw 2026\.9\.6 runs/,
    )
  })
})
