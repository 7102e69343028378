import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import type { Script } from '../../host/testing/scripted-run.ts'
import { insertRow } from '../../store/rows.ts'
import { defaultSettings } from '../websites/settings-model.ts'
import { scriptPhp } from '../../tools/php/testing/scripted-php.ts'

const ini = '; \u00e9 kept\nmemory_limit = 128M ; of one script\nodd.directive = 1\n'
const available = { 'php8.3-fpm': '8.3.1', 'php8.3-mysql': '8.3.1', 'php8.3-zip': '8.3.1' }

describe('PHP', () => {
  let panel: TestPanel
  let ada: Person
  const archive: Script = (argv) =>
    argv[0] === 'apt-cache'
      ? {
          stdout: Object.keys(available)
            .map((name) => `${name} - PHP\n`)
            .join(''),
        }
      : undefined
  before(async () => {
    panel = await openTestPanel({
      available,
      accounts: new Map([['ada', { uid: 1001 }]]),
      scripts: [archive, scriptPhp(() => panel.root, '8.2'), scriptPhp(() => panel.root, '8.1')],
    })
    await panel.start()
    ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    mkdirSync(`${panel.root}/usr/sbin`, { recursive: true })
    for (const version of ['8.1', '8.2']) {
      writeFileSync(`${panel.root}/usr/sbin/php-fpm${version}`, '')
      mkdirSync(`${panel.root}/etc/php/${version}/fpm/conf.d`, { recursive: true })
      writeFileSync(`${panel.root}/etc/php/${version}/fpm/php.ini`, ini)
    }
    writeFileSync(`${panel.root}/etc/php/8.2/fpm/conf.d/20-agent.ini`, 'user_agent = "of a package"\n')
  })
  after(() => panel.close())

  const ask = (method: string, path: string, body?: unknown, as = panel.admin) =>
    panel.request(method, `/api/settings/${path}`, { as, ...(body !== undefined && { body }) })
  const iniOf = (version: string) => readFileSync(`${panel.root}/etc/php/${version}/fpm/php.ini`, 'utf8')
  const addSite = (domain: string, type: 'php' | 'static') =>
    addWebsite(panel, { domain, userId: ada.id, type })

  it('is for superusers alone', async () => {
    for (const [method, path, body] of [
      ['GET', 'php/available', undefined],
      ['POST', 'php/install', { version: '8.3' }],
      ['POST', 'php/remove', { version: '8.1' }],
      ['GET', 'php/8.2/config', undefined],
      ['POST', 'php/8.2/config', { settings: {} }],
      ['GET', 'php-security', undefined],
      ['POST', 'php-security', {}],
    ] as const) {
      const { status, error } = await ask(method, path, body, ada)
      assert.deepEqual([status, error.code], [403, 'forbidden'], `${method} ${path}`)
    }
  })

  it('lists the versions that are installed, and those that can be', async () => {
    const { versions } = (await ask('GET', 'php/available')).data
    assert.deepEqual(
      versions.map(({ version, installed, available: isAvailable }: Record<string, unknown>) => [
        version,
        installed,
        isAvailable,
      ]),
      [
        ['8.3', false, true],
        ['8.2', true, false],
        ['8.1', true, false],
      ],
    )
    assert.deepEqual(versions[0].extensions, ['mysql', 'zip'])
  })

  it('is installed and removed in versions that exist', async () => {
    const unknown = await ask('POST', 'php/install', { version: '9.9' })
    assert.deepEqual([unknown.status, unknown.error.code], [400, 'bad_request'])
    assert.match(unknown.error.message, /have no PHP 9\.9/)
    for (const version of ['8', '8.2.1', '../8.2', '-8.2', ''])
      assert.equal((await ask('POST', 'php/install', { version })).status, 400, version)
    const missing = await ask('POST', 'php/remove', { version: '9.9' })
    assert.deepEqual([missing.status, missing.error.code], [400, 'bad_request'])
    assert.match(missing.error.message, /PHP 9\.9 is not installed; installed: 8\.2, 8\.1/)
  })

  it('shows directives with their values and where these come from', async () => {
    const { path, directives } = (await ask('GET', 'php/8.2/config')).data
    const named = (name: string) => directives.find((each: { name: string }) => each.name === name)
    assert.deepEqual(named('memory_limit'), {
      name: 'memory_limit',
      value: '128M',
      effective: '128M',
      built_in: '128M',
      source: path,
      expects: 'a number of bytes such as 256M, or -1',
      is_set_per_website: true,
    })
    assert.deepEqual([named('allow_url_fopen').value, named('allow_url_fopen').source], [null, null])
    assert.equal(named('user_agent').source, '/etc/php/8.2/fpm/conf.d/20-agent.ini')
    const unknown = await ask('GET', 'php/9.9/config')
    assert.deepEqual([unknown.status, unknown.error.code], [400, 'bad_request'])
  })

  it('keeps everything in php.ini but what is set', async () => {
    const set = (settings: unknown) => ask('POST', 'php/8.2/config', { settings })
    assert.equal((await set({ memory_limit: '256M', allow_url_fopen: 'Off' })).status, 200)
    assert.equal(iniOf('8.2'), `${ini.replace('128M', '256M')}allow_url_fopen = Off\n`)
    assert.equal(iniOf('8.1'), ini)
    const now = iniOf('8.2')
    for (const [settings, reason] of [
      [{ memory_limit: 'much' }, /memory_limit must be a number of bytes/],
      [{ 'no.such': '1' }, /PHP 8\.2 has no directive no\.such/],
      [{ 'date.timezone': 'Mars/Base' }, /must be a time zone/],
      [{ user_agent: 'mine' }, /user_agent is set in .*20-agent\.ini/],
      [{ user_agent: 'a\nb' }, /settings/],
      [{ user_agent: 'a"b' }, /settings/],
      [{ user_agent: 'a;b' }, /settings/],
      [{ 'memory_limit\n': '1' }, /settings/],
    ] as const) {
      const { status, error } = await set(settings)
      assert.deepEqual([status, error.code], [400, 'bad_request'], JSON.stringify(settings))
      assert.match(error.message, reason)
    }
    writeFileSync(`${panel.root}/etc/php/8.2/fpm/conf.d/20-agent.ini`, '; nothing\n')
    const refused = await set({ user_agent: 'refused' })
    assert.deepEqual([refused.status, refused.error.code], [500, 'config_failed'])
    assert.match(refused.error.message, /Invalid user_agent/)
    assert.equal(iniOf('8.2'), now)
    assert.equal((await ask('POST', 'php/9.9/config', { settings: { memory_limit: '1M' } })).status, 400)
  })

  it('is restricted for all websites, with exceptions', async () => {
    const [php, page] = [await addSite('a.example.com', 'php'), await addSite('b.example.com', 'static')]
    const rules = {
      disabled_functions: ['exec', 'exec', 'system'],
      settings: { allow_url_fopen: 'Off' },
      exceptions: [{ website_id: php, functions: ['exec'] }],
    }
    assert.equal((await ask('POST', 'php-security', rules)).status, 200)
    assert.deepEqual((await ask('GET', 'php-security')).data, {
      disabled_functions: ['exec', 'system'],
      settings: { allow_url_fopen: 'Off' },
      exceptions: [{ website_id: php, domain: 'a.example.com', functions: ['exec'], settings: [] }],
    })
    for (const [body, reason] of [
      [{ settings: { memory_limit: '1M' } }, /memory_limit is set for each website/],
      [{ settings: { disable_functions: 'exec' } }, /set by disabled_functions/],
      [{ exceptions: [{ website_id: page }] }, /not of type php/],
      [{ exceptions: [{ website_id: 424_242 }] }, /does not exist/],
      [{ exceptions: [{ website_id: php }, { website_id: php }] }, /occurs twice/],
      [{ disabled_functions: ['a b'] }, /disabled_functions/],
      [{ disabled_functions: ['exec\n'] }, /disabled_functions/],
    ] as const) {
      const { status, error } = await ask('POST', 'php-security', body)
      assert.deepEqual([status, error.code], [400, 'bad_request'], JSON.stringify(body))
      assert.match(error.message, reason)
    }
    const ofSite = JSON.stringify({ ...defaultSettings, php_version: '7.9' })
    await panel.store.transaction((tx) =>
      panel.store.write(tx, [
        insertRow('website_settings', { website_id: php, settings: ofSite, passwords: null }),
      ]),
    )
    const plan = await ask('POST', 'php-security?plan=1', rules)
    assert.deepEqual(plan.data.steps, [], 'a version that is not installed has no pools')
    assert.equal((await ask('POST', 'php-security', { disabled_functions: [], exceptions: [] })).status, 200)
    const { disabled_functions, exceptions, settings } = (await ask('GET', 'php-security')).data
    assert.deepEqual([disabled_functions, exceptions, settings], [[], [], { allow_url_fopen: 'Off' }])
  })
})
