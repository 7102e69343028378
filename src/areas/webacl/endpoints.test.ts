import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Asked, openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import { debianLayout } from '../../tools/nginx/layout.ts'
import { modulePath } from '../../tools/nginx/access/layout.ts'
import { mmdb } from '../../tools/powerdns/testing/mmdb.ts'
import { DiskFailed } from '../../core/problem.ts'
import { directory, maxBytes, readableBytes } from './config/files.ts'
import type { Context } from './context.ts'
import { readNotices } from './notices.ts'

const countries = '/var/lib/countries.mmdb'
const day = 86_400_000

describe('web access control', () => {
  let panel: TestPanel
  let keeper: Person
  let site: number
  let others: number
  before(async () => {
    panel = await openTestPanel({ hasNginx: true, environment: { HOSTREEVE_GEOIP_FILE: countries } })
    await panel.start()
    keeper = await panel.person({ permissions: ['websites_management', 'administrative_operations'] })
    const ada = await panel.person({ username: 'ada' })
    const bob = await panel.person({ username: 'bob' })
    site = await addWebsite(panel, { domain: 'a.example.com', userId: ada.id })
    others = await addWebsite(panel, { domain: 'b.example.com', userId: bob.id, username: 'bob' })
  })
  after(() => panel.close())

  const ask = (method: string, path: string, asked: Asked = {}) =>
    panel.request(method, `/api/webacl${path}`, { as: panel.admin, ...asked })
  const get = (path: string, id = site) => ask('GET', `${path}?website_id=${id}`)
  const send = (path: string, body: object, id = site) =>
    ask('POST', path, { body: { website_id: id, ...body } })
  const put = (path: string, body: object) => ask('PUT', path, { body: { website_id: site, ...body } })
  const remove = (path: string, query = '') => ask('DELETE', `${path}?website_id=${site}${query}`)
  const block = async (name: string, more: object = {}) =>
    (await send('/rulesets', { name, action: 'block', ...more })).data
  const condition = { field: 'path', operator: 'starts_with', value: '/private' }
  const isRefused = async (
    answer: Promise<{ status: number; error: any }>,
    status: number,
    message: RegExp,
  ) => {
    const { status: given, error } = await answer
    assert.equal(given, status)
    assert.match(error.message, message)
  }
  const siteFile = (domain: string) => panel.host.files.read(`${debianLayout.sitesDirectory}/${domain}.conf`)
  const haveModule = async () => {
    await panel.host.files.makeDirectory('/usr/lib/nginx/modules')
    await panel.host.files.write(modulePath, '')
    await panel.host.files.makeDirectory('/etc/nginx/modules-enabled')
  }

  test('is for superusers alone, and needs a website that exists', async () => {
    for (const path of ['/ip-groups', '/rulesets', '/pending', '/library'])
      assert.equal((await ask('GET', `${path}?website_id=${site}`, { as: keeper })).status, 403)
    assert.equal((await ask('GET', '/script-module/status', { as: keeper })).status, 403)
    for (const query of ['', '?website_id=0', '?website_id=x'])
      assert.equal((await ask('GET', `/rulesets${query}`)).status, 400)
    for (const path of ['/ip-groups', '/rulesets', '/pending', '/library'])
      await isRefused(get(path, 9999), 404, /there is no website 9999/)
    assert.equal((await send('/ip-groups', { name: 'x' }, 0)).status, 400)
  })

  test('without the module, everything but apply and simulate works', async () => {
    const { id } = await block('early', { rules: [{ name: 'r', conditions: [condition] }] })
    assert.deepEqual((await ask('GET', '/script-module/status')).data, { installed: false, loaded: false })
    await isRefused(send(`/rulesets/${id}/apply`, {}), 503, /module for Lua is not installed/)
    await isRefused(send('/simulate', { address: '192.0.2.1' }), 503, /install the scripting module first/)
    assert.equal((await remove(`/rulesets/${id}`)).status, 200)
  })

  test('keeps address groups: entries as they were given, duplicates too', async () => {
    const made = await send('/ip-groups', { name: 'Office', description: 'Us' })
    assert.deepEqual(
      [made.status, made.data],
      [201, { id: 'Office', name: 'Office', description: 'Us', entry_count: 0 }],
    )
    await isRefused(send('/ip-groups', { name: 'Office' }), 400, /"Office" exists already/)
    for (const name of ['', 'a/b', 'a\nb', 'x'.repeat(201)])
      assert.equal((await send('/ip-groups', { name })).status, 400)
    const entries = '/ip-groups/Office/entries'
    assert.deepEqual((await send(entries, { ip_or_subnet: ' 192.0.2.1/24 ' })).data, { id: 0 })
    const more = { ip_or_subnet: '\t::ffff:1.2.3.4\r\n', further: ['192.0.2.1/24', '2001:db8::/32'] }
    assert.deepEqual((await send(entries, more)).data, { id: 1 })
    const bad = { ip_or_subnet: '192.0.2.9', further: ['192.0.2.8', '192.0.2.7\u0000'] }
    await isRefused(send(entries, bad), 400, /^further\.1: "192\.0\.2\.7\\u0000" must be an address/)
    for (const value of ['', '1.2.3', '1.2.3.4-1.2.3.9', '1.2.3.4/33', 'fe80::1%eth0', '1.2.3.4 ; x'])
      assert.equal((await send(entries, { ip_or_subnet: value })).status, 400, value)
    assert.deepEqual(
      (await get(entries)).data.map((each: any) => each.ip_or_subnet),
      ['192.0.2.1/24', '::ffff:1.2.3.4', '192.0.2.1/24', '2001:db8::/32'],
    )
    const path = `/ip-entries/${encodeURIComponent('192.0.2.1/24')}`
    assert.equal((await remove(path, '&group=Office')).status, 200)
    assert.equal((await remove(path, '&group=Office')).status, 200)
    assert.equal((await remove(path)).status, 400)
    await isRefused(remove(path, '&group=None'), 404, /no group named "None"/)
    assert.deepEqual((await get('/ip-groups')).data, [
      { id: 'Office', name: 'Office', description: '', entry_count: 2 },
    ])
    assert.deepEqual((await get('/ip-groups', others)).data, [])
    await isRefused(get('/ip-groups/Office/entries', others), 404, /no group named "Office"/)
  })

  test('does not delete a group that a rule uses', async () => {
    await send('/ip-groups', { name: 'Used' })
    const inGroup = { field: 'ip', operator: 'in_group', value: 'Used' }
    const { id } = await block('uses', { rules: [{ name: 'Used rule', conditions: [inGroup] }] })
    await isRefused(remove('/ip-groups/Used'), 400, /The rule "Used rule" uses the group/)
    await remove(`/rulesets/${id}`)
    assert.equal((await remove('/ip-groups/Used')).status, 200)
    await isRefused(remove('/ip-groups/Used'), 404, /no group/)
  })

  test('keeps rulesets in order, with options that their action has', async () => {
    const first = await block('first')
    assert.deepEqual(first, {
      ...{ id: first.id, name: 'first', description: '', action: 'block', combine: 'any', enabled: true },
      ...{ action_options: { status: 403, page: null, on_failure: 'open' }, website_ids: null },
      ...{ position: 0, pending: true, rules: 0, hits: null },
    })
    const second = await block('second', { website_ids: [site], action_options: { status: 444 } })
    const list = async () => (await get('/rulesets')).data.rulesets.map((each: any) => each.name)
    assert.equal((await send('/rulesets/reorder', { ids: [second.id, first.id] })).status, 200)
    assert.deepEqual(await list(), ['second', 'first'])
    for (const ids of [[first.id], [first.id, first.id], [first.id, second.id, 's9-9']])
      await isRefused(send('/rulesets/reorder', { ids }), 400, /must name each of these once/)
    const moved = await put(`/rulesets/${first.id}`, {
      action: 'redirect',
      action_options: { url: '/sorry', status: 307 },
    })
    assert.deepEqual(moved.data.action_options, { status: 307, url: '/sorry', on_failure: 'open' })
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ action: 'allow', action_options: { status: 403 } }, /action_options\.status: is no option of allow/],
      [{ action: 'block', action_options: { status: 500 } }, /status: must be from 400 to 451/],
      [{ action: 'redirect', action_options: { url: '//evil.example' } }, /url: must be a path/],
      [{ action: 'redirect', action_options: { url: 'javascript:x' } }, /url: must be a path/],
      [{ action: 'redirect', action_options: { url: 'https://' } }, /url: must be a path/],
      [{ action_options: { status: 200 } }, /action_options\.status: must be a status from 301 to 503/],
      [{ description: 'x'.repeat(1001) }, /description: must be text of at most 1000 characters/],
      [{ website_ids: 'all' }, /website_ids: must be a list of at most 1000 ids of websites, or null/],
      [{ action: 'redirect', action_options: { url: '/x', status: 404 } }, /status: must be one of 301/],
      [{ website_ids: [others] }, new RegExp(`ada has no website ${others}`)],
    ]
    for (const [edit, message] of cases) await isRefused(put(`/rulesets/${first.id}`, edit), 400, message)
    await isRefused(put('/rulesets/s9-9', { name: 'x' }), 404, /no ruleset s9-9/)
    await isRefused(ask('DELETE', `/rulesets/${first.id}?website_id=${others}`), 404, /no ruleset/)
    for (const id of [first.id, second.id]) await remove(`/rulesets/${id}`)
    await isRefused(remove(`/rulesets/${first.id}`), 404, /no ruleset/)
  })

  test('leaves a website out that was deleted since', async () => {
    const made = await block('certain', { website_ids: [site] })
    const owner = Number(made.id.slice(1).split('-')[0])
    const gone = await addWebsite(panel, { domain: 'gone.example.com', userId: owner })
    const edit = async (website_ids: readonly number[]) => put(`/rulesets/${made.id}`, { website_ids })
    assert.deepEqual((await edit([gone, site, gone])).data.website_ids, [gone, site])
    await panel.store.db.deleteFrom('websites').where('id', '=', gone).execute()
    assert.deepEqual((await edit([gone, site])).data.website_ids, [site])
    await isRefused(edit([gone]), 400, /has no website/)
    await remove(`/rulesets/${made.id}`)
  })

  test('keeps rules with conditions, and refuses those that could never be evaluated', async () => {
    const { id } = await block('rules')
    const rules = `/rulesets/${id}/rules`
    const made = await send(rules, { name: 'one', conditions: [condition] })
    assert.deepEqual([made.status, made.data.source, made.data.position], [201, 'own', 0])
    assert.deepEqual(made.data.conditions, [{ ...condition, negate: false }])
    const other = (await send(rules, { name: 'two' })).data
    assert.equal((await send(`${rules}/reorder`, { ids: [other.id, made.data.id] })).status, 200)
    await isRefused(send(`${rules}/reorder`, { ids: [] }), 400, /must name each/)
    const add = (draft: object) => send(`/rules/${made.data.id}/conditions`, draft)
    const header = { field: 'header:Accept', operator: 'exists', value: 'ignored', negate: true }
    assert.deepEqual((await add(header)).data.conditions[1], { ...header, value: null })
    const cases: readonly (readonly [object, RegExp])[] = [
      [
        { field: 'country', operator: 'equals', value: 'DE' },
        /needs a database of countries: geoip_file: \/var\/lib\/countries\.mmdb is not a readable MMDB file/,
      ],
      [{ field: 'nonsense', operator: 'equals', value: 'x' }, /field: must be one of ip, country, host/],
      [{ field: 'header:', operator: 'exists' }, /field: must be header:<name>/],
      [{ field: 'header:a:b', operator: 'exists' }, /field: must be header:<name>/],
      [{ field: '__proto__', operator: 'exists' }, /field: must be one of ip, country, host/],
      [{ field: 'constructor', operator: 'exists' }, /field: must be one of ip, country, host/],
      [{ field: 'toString:x', operator: 'exists' }, /field: must be one of ip, country, host/],
      [{ field: 'path:x', operator: 'exists' }, /field: must be path, without a name/],
      [{ field: 'path', operator: 'in_cidr', value: '10.0.0.0/8' }, /operator: must be one of equals/],
      [{ field: 'path', operator: 'equals' }, /value: is required for equals/],
      [{ field: 'ip', operator: 'in_cidr', value: '10.0.0.0-10.1' }, /value: must be a network/],
      [{ field: 'ip', operator: 'equals', value: '10.0.0.0/8' }, /value: must be an address/],
      [{ field: 'ip', operator: 'in_group', value: 'None' }, /no group named "None"/],
      [{ field: 'request_rate', operator: 'greater_than', value: 'many' }, /value: must be a number/],
      [{ field: 'path', operator: 'equals', value: 'a\u0000b' }, /value: must be text of at most 1000/],
    ]
    for (const [draft, message] of cases) await isRefused(add(draft), 400, message)
    const many = { name: 'many', conditions: Array.from({ length: 10_000 }, () => condition) }
    await isRefused(send(rules, many), 400, /conditions: must be a list of at most 50 conditions/)
    const path = (index: number | string) => `/conditions/${index}`
    await isRefused(remove(path(2), `&rule_id=${made.data.id}`), 404, /has 2 conditions, counted from 0/)
    for (const index of [51, 1_000_000])
      await isRefused(remove(path(index), `&rule_id=${made.data.id}`), 404, /has 2 conditions/)
    for (const index of ['-1', 'x'])
      assert.equal((await remove(path(index), `&rule_id=${made.data.id}`)).status, 400)
    assert.equal((await remove(path(0))).status, 400)
    assert.equal((await remove(path(0), `&rule_id=${made.data.id}`)).data.conditions.length, 1)
    const edited = await put(`/rules/${made.data.id}`, { name: 'renamed', enabled: false, conditions: [] })
    assert.deepEqual([edited.data.name, edited.data.enabled, edited.data.conditions], ['renamed', false, []])
    await isRefused(ask('PUT', `/rules/${made.data.id}`, { body: { website_id: others } }), 404, /no rule/)
    assert.equal((await remove(`/rules/${other.id}`)).status, 200)
    await isRefused(remove(`/rules/${other.id}`), 404, /no rule/)
    assert.deepEqual(
      (await get(rules)).data.rules.map((each: any) => each.name),
      ['renamed'],
    )
    await remove(`/rulesets/${id}`)
  })

  test('names the place of what is wrong within a ruleset or a rule, and adds nothing of it', async () => {
    const draft = (...rules: object[]) => send('/rulesets', { name: 'parts', action: 'block', rules })
    const good = { name: 'good', conditions: [condition] }
    const wrong = { field: 'path', operator: 'in_group', value: 'x' }
    await isRefused(draft(good, {}), 400, /^rules\.1\.name: is required/)
    await isRefused(draft(good, { library: 'lib:none' }), 404, /^rules\.1\.library: there is no library rule/)
    const bad = { name: 'bad', conditions: [condition, wrong] }
    await isRefused(draft(good, bad), 400, /^rules\.1\.conditions\.1\.operator: must be one of/)
    assert.doesNotMatch(JSON.stringify((await get('/rulesets')).data), /"parts"/)
    const { data } = await draft(good)
    const [rule] = (await get(`/rulesets/${data.id}/rules`)).data.rules
    await isRefused(put(`/rules/${rule.id}`, bad), 400, /^conditions\.1\.operator: must be one of/)
    assert.deepEqual((await get(`/rulesets/${data.id}/rules`)).data.rules[0].name, 'good')
    await remove(`/rulesets/${data.id}`)
  })

  test('keeps the file of the rules small enough to be read again, and names one that cannot be read', async () => {
    const { files } = panel.host
    const made = await block('large')
    const config = `${directory}/${made.id.slice(1).split('-')[0]}.json`
    const text = (await files.read(config)) ?? ''
    const described = (length: number) =>
      text.replace('"description": ""', `"description": "${'x'.repeat(length)}"`)
    await files.write(config, described(maxBytes - text.length - 10))
    await isRefused(send('/ip-groups', { name: 'One too many' }), 400, /take at most 12582912 bytes/)
    assert.equal((await remove(`/rulesets/${made.id}`)).status, 200)
    await files.write(config, described(readableBytes))
    for (const answer of [get('/rulesets'), send('/ip-groups', { name: 'x' })])
      await isRefused(answer, 500, /is larger than the panel reads/)
    await files.remove(config)
    await files.makeDirectory(config)
    const { status, error } = await get('/rulesets')
    assert.deepEqual([status, error.code], [500, 'read_error'])
    await files.removeDirectory(config)
    await files.write(config, text)
    await remove(`/rulesets/${made.id}`)
  })

  test('go with their owner, also where their file is damaged', async () => {
    const eve = await panel.person({ permissions: ['websites_management'] })
    await addWebsite(panel, { domain: 'e.example.com', userId: eve.id })
    await panel.host.files.write(`${directory}/${eve.id}.json`, 'nonsense')
    const { status, data } = await panel.request('DELETE', `/api/users/${eve.id}?plan=1`, { as: panel.admin })
    assert.equal(status, 200)
    assert.ok(data.details.includes('The access rules of their websites are removed'))
    await panel.host.files.remove(`${directory}/${eve.id}.json`)
  })

  test('shares library rules between owners: a deleted condition is missing for all of them', async () => {
    const { rules, templates } = (await get('/library')).data
    const shared = rules.find((each: any) => each.id === 'lib:login-pages')
    assert.ok(templates.length > 0)
    const draft = { name: 'lib', action: 'log', rules: [{ library: shared.id }] }
    const own = (await send('/rulesets', draft)).data
    const foreign = (await send('/rulesets', draft, others)).data
    const listed = async (id: string, website: number) =>
      (await get(`/rulesets/${id}/rules`, website)).data.rules[0]
    assert.deepEqual(
      [(await listed(own.id, site)).source, (await listed(own.id, site)).conditions.length],
      ['library', 2],
    )
    await isRefused(
      send(`/rulesets/${own.id}/rules`, { library: shared.id }),
      400,
      /is in the ruleset already/,
    )
    await isRefused(
      send(`/rulesets/${own.id}/rules`, { library: 'lib:none' }),
      404,
      /no library rule lib:none/,
    )
    await isRefused(put(`/rules/${shared.id}`, { name: 'x' }), 400, /belong to the library/)
    assert.equal((await put(`/rules/${shared.id}`, { enabled: false })).data.enabled, false)
    assert.equal((await remove('/conditions/1', `&rule_id=${shared.id}`)).status, 200)
    assert.equal((await listed(foreign.id, others)).conditions.length, 1)
    const { data } = await panel.request('GET', '/api/activity', { as: panel.admin })
    assert.match(JSON.stringify(data), /library rule Login pages, for all owners/)
    await send(`/rules/${shared.id}/conditions`, { field: 'method', operator: 'equals', value: 'POST' })
    assert.equal((await listed(foreign.id, others)).conditions.length, 2)
    await remove(`/rules/${shared.id}`)
    assert.deepEqual((await get(`/rulesets/${own.id}/rules`)).data.rules, [])
    await remove(`/rulesets/${own.id}`)
    await ask('DELETE', `/rulesets/${foreign.id}?website_id=${others}`)
  })

  test('keeps the rules if their file cannot be written', async ({ mock }) => {
    const make = mock.method(panel.host.files, 'makeDirectory', () => Promise.reject(new Error('EPERM')))
    assert.equal((await send('/ip-groups', { name: 'Lost' })).error.code, 'write_error')
    make.mock.restore()
    for (const failure of [new Error('EROFS'), DiskFailed('the file system is read-only')]) {
      const write = mock.method(panel.host.files, 'write', () => Promise.reject(failure))
      const { status, error } = await send('/ip-groups', { name: 'Lost' })
      write.mock.restore()
      assert.deepEqual([status, error.code], [500, 'write_error'])
      assert.equal((await get('/ip-groups/Lost/entries')).status, 404)
    }
  })

  test('needs a package manager to install the module', async () => {
    const bare = await openTestPanel({
      hasNginx: true,
      scripts: [
        ([program = '']) => (['apt-get', 'dnf', 'yum'].includes(program) ? { code: 127 } : undefined),
      ],
    })
    await bare.start()
    const { status, error } = await bare.request('POST', '/api/webacl/script-module/install', {
      as: bare.admin,
    })
    await bare.close()
    assert.deepEqual([status, error.code], [500, 'unsupported'])
  })

  test('installs the module by loading it where it is only not loaded', async () => {
    await haveModule()
    assert.deepEqual((await ask('GET', '/script-module/status')).data, { installed: true, loaded: false })
    panel.nginx.refuse('unknown directive "lua_shared_dict"')
    const refused = await ask('POST', '/script-module/install')
    assert.deepEqual([refused.status, refused.error.code], [500, 'nginx_test_failed'])
    assert.match(refused.error.message, /unknown directive/)
    panel.nginx.refuse(undefined)
    assert.equal((await ask('GET', '/script-module/status')).data.loaded, false)
    const done = await ask('POST', '/script-module/install')
    assert.deepEqual([done.status, done.data], [200, { installed: true, loaded: true }])
    assert.deepEqual((await ask('GET', '/script-module/status')).data, { installed: true, loaded: true })
    const config = await panel.host.files.read('/etc/nginx/conf.d/hostreeve-access.conf')
    assert.match(config ?? '', /init_by_lua_block/)
    assert.equal(await siteFile('a.example.com'), undefined)
  })

  test('applies all rules of an owner, shows what is pending, and takes them away again', async () => {
    const made = await block('gate', { rules: [{ name: 'private', conditions: [condition] }] })
    const before = (await get('/pending')).data
    assert.deepEqual([before.pending, before.ruleset_id, before.problems], [true, made.id, []])
    assert.match(before.diff, /\+.*"value": "\/private"/)
    const reloads = panel.nginx.reloads
    const applied = await send(`/rulesets/${made.id}/apply`, {})
    assert.deepEqual([applied.status, applied.data], [200, { rulesets: 1, websites: 1 }])
    assert.equal(panel.nginx.reloads, reloads + 1)
    assert.match((await siteFile('a.example.com')) ?? '', /require\("hostreeve\.access"\)\.check\(\d+, \d+\)/)
    assert.equal(await siteFile('b.example.com'), undefined)
    assert.deepEqual((await get('/pending')).data, {
      pending: false,
      diff: '',
      ruleset_id: made.id,
      problems: [],
    })
    panel.nginx.reports({ hits: [{ id: made.id, hits: 7 }] })
    const [shown] = (await get('/rulesets')).data.rulesets
    assert.deepEqual([shown.pending, shown.hits], [false, 7])
    panel.nginx.reports(undefined)
    await remove(`/rulesets/${made.id}`)
    assert.equal((await get('/pending')).data.ruleset_id, made.id)
    assert.deepEqual((await send(`/rulesets/${made.id}/apply`, {})).data, { rulesets: 0, websites: 1 })
    assert.doesNotMatch((await siteFile('a.example.com')) ?? '', /hostreeve\.access/)
    assert.equal((await get('/pending')).data.pending, false)
    await isRefused(send(`/rulesets/${made.id}/apply`, {}), 404, /no ruleset/)
    const left = await panel.host.files.list(`${debianLayout.directory}/access`)
    assert.deepEqual(
      left.filter((name) => name.endsWith('.rules')),
      [],
    )
  })

  test('refuses to apply what nginx or a missing group does not allow, and changes nothing', async () => {
    const made = await block('bad', {
      rules: [{ name: 'broken', conditions: [{ ...condition, operator: 'matches', value: '(' }] }],
    })
    const [rule] = (await get(`/rulesets/${made.id}/rules`)).data.rules
    panel.nginx.simulates({
      path: '/',
      steps: [],
      problems: [{ rule: rule.id, index: 0, problem: 'missing )' }],
    })
    await isRefused(
      send(`/rulesets/${made.id}/apply`, {}),
      400,
      /condition 0 of the rule "broken": missing \)/,
    )
    panel.nginx.simulates({ path: '/', steps: [], problems: [] })
    panel.nginx.refuse('nginx says no')
    await isRefused(send(`/rulesets/${made.id}/apply`, {}), 500, /nginx says no/)
    panel.nginx.refuse(undefined)
    await panel.host.files.write(`${debianLayout.sitesDirectory}/a.example.com.conf`, '# by hand\n')
    assert.equal((await send(`/rulesets/${made.id}/apply`, {})).status, 409)
    assert.equal((await send(`/rulesets/${made.id}/apply?overwrite=true`, {})).status, 200)
    const needy = await block('needy', {
      rules: [{ name: 'admins', conditions: [{ field: 'ip', operator: 'exists' }] }],
    })
    const config = `${directory}/${made.id.slice(1).split('-')[0]}.json`
    const text = (await panel.host.files.read(config)) ?? ''
    await panel.host.files.write(
      config,
      text.replace('"exists",\n', '"in_group",\n').replace('"value": null', '"value": "Gone"'),
    )
    assert.deepEqual((await get('/pending')).data.problems, [
      'The rule "admins" of "needy" needs a group named "Gone"',
    ])
    await isRefused(send(`/rulesets/${needy.id}/apply`, {}), 400, /needs a group named "Gone"/)
    await panel.host.files.write(config, 'nonsense')
    await isRefused(get('/rulesets'), 500, /does not contain access rules/)
    assert.equal((await get('/rulesets')).error.code, 'read_error')
    await isRefused(send('/ip-groups', { name: 'x' }), 500, /does not contain access rules/)
    await panel.host.files.write(config, text)
  })

  test('explains how a request is decided', async () => {
    const made = await block('why', { rules: [{ name: 'private', conditions: [condition] }] })
    const [rule] = (await get(`/rulesets/${made.id}/rules`)).data.rules
    panel.nginx.simulates({
      ruleset: made.id,
      path: '/private/x',
      steps: [
        {
          ...{ ruleset: made.id, matched: true, ends: true },
          rules: [
            { rule: rule.id, matched: true, conditions: [{ index: 0, matched: true, value: '/private/x' }] },
          ],
        },
      ],
      problems: [],
    })
    const { data } = await send('/simulate', { address: '192.0.2.1', url: '/private/x' })
    assert.deepEqual([data.decision, data.ruleset_id, data.path], ['block', made.id, '/private/x'])
    assert.match(
      data.reason,
      /is blocked by the ruleset "why".*"private": path starts with \/private \("\/private\/x"\)/,
    )
    panel.nginx.simulates({ refusedWith: 400 })
    await isRefused(send('/simulate', { address: '::1' }), 400, /status 400 before any rule/)
    for (const address of ['', 'x', '10.0.0.0/8'])
      await isRefused(send('/simulate', { address }), 400, /address: must be an address/)
    const headers = [{ name: 'Host', value: 'x' }]
    await isRefused(
      send('/simulate', { address: '::1', headers }),
      400,
      /Host cannot be set: set host instead/,
    )
    const upgrade = [{ name: 'Upgrade', value: 'x' }]
    await isRefused(send('/simulate', { address: '::1', headers: upgrade }), 400, /how the request is sent/)
    const many = Array.from({ length: 51 }, () => ({ name: 'x', value: '1' }))
    await isRefused(send('/simulate', { address: '::1', headers: many }), 400, /list of at most 50 headers/)
    assert.equal((await send('/simulate', { address: '::1', url: 'x' })).status, 400)
  })

  test('compares countries by the file of the settings, tells its age, and stops where it is gone', async () => {
    const { files } = panel.host
    const fileOf = (networks: Record<string, string>, built: number) =>
      files.write(countries, mmdb(networks, new Date(built)))
    const state = async () => (await get('/library')).data.countries
    assert.deepEqual(
      [(await state()).available, (await state()).built_at, (await state()).stale],
      [false, null, false],
    )
    await fileOf({ '192.0.2.0/24': 'DE' }, Date.now() - 91 * day)
    const { stale, built_at, reason, file } = await state()
    assert.deepEqual([stale, reason, file], [true, null, countries])
    await fileOf({ '192.0.2.0/24': 'DE', '2001:db8::/32': 'DE' }, Date.now() - 89 * day)
    assert.equal((await state()).stale, false)
    assert.ok((await state()).built_at > built_at)
    const { id } = await block('countries', {
      rules: [{ name: 'Germany', conditions: [{ field: 'country', operator: 'equals', value: 'de' }] }],
    })
    const [rule] = (await get(`/rulesets/${id}/rules`)).data.rules
    assert.equal(rule.conditions[0].value, 'DE')
    const add = (draft: object) => send(`/rules/${rule.id}/conditions`, draft)
    for (const value of ['Germany', 'D1', '*'])
      await isRefused(add({ field: 'country', operator: 'equals', value }), 400, /value: must be an ISO code/)
    await isRefused(add({ field: 'country', operator: 'matches', value: 'DE' }), 400, /one of equals, exists/)
    panel.nginx.simulates({
      ...{ ruleset: id, path: '/', problems: [] },
      steps: [
        {
          ...{ ruleset: id, matched: true, ends: true },
          rules: [
            { rule: rule.id, matched: true, conditions: [{ index: 0, matched: true, value: 'c0000201' }] },
          ],
        },
      ],
    })
    const { data } = await send('/simulate', { address: '192.0.2.1' })
    assert.match(data.reason, /country equals DE \("DE"\)/)
    panel.nginx.simulates({ path: '/', steps: [], problems: [] })
    assert.equal((await send(`/rulesets/${id}/apply`, {})).status, 200)
    const compiled = async () => {
      const folder = `${debianLayout.directory}/access`
      const name = (await files.list(folder)).find((each) => each.endsWith('.rules'))
      return (await files.read(`${folder}/${name}`)) ?? ''
    }
    assert.match(await compiled(), /16:c0000200c00002ff/)
    assert.equal((await get('/pending')).data.pending, false)
    await fileOf({ '198.51.100.0/24': 'DE' }, Date.now())
    assert.match((await get('/pending')).data.diff, /\+ "countries_built_at"/)
    assert.equal((await send(`/rulesets/${id}/apply`, {})).status, 200)
    assert.match(await compiled(), /16:c6336400c63364ff/)
    await files.remove(countries)
    assert.match((await get('/pending')).data.problems[0], /^Conditions on countries: geoip_file/)
    for (const path of [`/rulesets/${id}/apply`, `/rulesets/${id}/replay`])
      await isRefused(send(path, {}), 400, /compares the country: geoip_file/)
    await isRefused(send('/simulate', { address: '::1' }), 400, /compares the country: geoip_file/)
    await remove(`/rulesets/${id}`)
    assert.equal((await send(`/rulesets/${id}/apply`, {})).status, 200)
  })

  test('replays logs through a ruleset: what it would have done, by rule, and what the log does not tell', async () => {
    const made = await block('replayed', {
      enabled: false,
      rules: [
        { name: 'empty', conditions: [] },
        { name: 'private', conditions: [condition] },
        { name: 'cookie', conditions: [{ field: 'cookie:id', operator: 'exists' }] },
      ],
    })
    const logLine = (path: string, at: string) =>
      `192.0.2.1 - - [29/Nov/2026:${at} +0000] "GET ${path} HTTP/1.1" 200 5 "-" "curl" 0.001\n`
    const log = `${debianLayout.logsDirectory}/a.example.com/access.log`
    await panel.host.files.makeDirectory(`${debianLayout.logsDirectory}/a.example.com`)
    await panel.host.files.write(
      log,
      [
        logLine('/old', '01:00:00'),
        logLine('/private?token=1', '02:00:00'),
        'nonsense\n',
        logLine('/a', '03:00:00'),
        logLine('/private/2', '04:00:00'),
      ].join(''),
    )
    const asked: string[] = []
    panel.nginx.replays(({ requests, host, ruleset }) => {
      asked.push(`${host} ${ruleset}`)
      return requests.map(({ path }) =>
        path.startsWith('/private') ? 'm1' : path === '/a' ? 'ucookie:id' : 'e',
      )
    })
    const replay = (body: object = {}) => send(`/rulesets/${made.id}/replay`, body)
    const events = ({ text }: { text: string }) =>
      text
        .split('\n\n')
        .flatMap((each) => (each.includes('data: ') ? [JSON.parse(each.split('data: ')[1]!)] : []))
    const last = events((await replay({ lines: 4 })) as any).at(-1)
    assert.deepEqual([last.type, last.message], ['done', '2 of 3 requests match'])
    const { rules, missing, ...sums } = last.replay
    assert.deepEqual(sums, {
      ...{ ruleset_id: made.id, name: 'replayed', action: 'block', websites: 1, lines: 3, matched: 2 },
      ...{ decided_earlier: 0, undecidable: 1, unreadable: 1, cut_by: 'lines' },
      ...{ from: '2026-11-29T02:00:00.000Z', to: '2026-11-29T04:00:00.000Z' },
    })
    assert.deepEqual(
      rules.map(({ name, matched, examples }: any) => [name, matched, examples.map(({ path }: any) => path)]),
      [
        ['private', 2, ['/private', '/private/2']],
        ['cookie', 0, []],
      ],
    )
    assert.deepEqual(
      [missing[0].field, missing[0].lines, missing[0].examples[0].path],
      ['cookie:id', 1, '/a'],
    )
    assert.deepEqual(asked, [`a.example.com ${made.id}`])
    const whole = events((await replay()) as any).at(-1).replay
    assert.deepEqual([whole.lines, whole.decided_earlier, whole.cut_by], [4, 1, null])

    const plan = await ask('POST', `/rulesets/${made.id}/replay?plan=1`, { body: { website_id: site } })
    assert.match(plan.data.steps[0].title, /the last 100000 lines of the access logs of a\.example\.com/)
    await isRefused(send('/rulesets/s9-9/replay', {}), 404, /no ruleset s9-9/)
    await isRefused(
      ask('POST', `/rulesets/${made.id}/replay`, { body: { website_id: others } }),
      404,
      /no ruleset/,
    )
    for (const lines of [0, 1_000_001, 1.5, 'x']) assert.equal((await replay({ lines })).status, 400)
    assert.equal(
      (await ask('POST', `/rulesets/${made.id}/replay`, { as: keeper, body: { website_id: site } })).status,
      403,
    )
    await remove(`/rulesets/${made.id}`)
  })

  test(
    'replays the logs of an owner once at a time, and can be cancelled',
    { timeout: 120_000 },
    async () => {
      const made = await block('slow', { rules: [{ name: 'private', conditions: [condition] }] })
      const { promise: begun, resolve: begins } = Promise.withResolvers<void>()
      const gate = panel.nginx.replayAccess
      panel.nginx.replayAccess = (_replaying, signal) => {
        begins()
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
        )
      }
      const first = send(`/rulesets/${made.id}/replay`, {})
      await begun
      await isRefused(send(`/rulesets/${made.id}/replay`, {}), 409, /being replayed/)
      const { data } = await panel.request('GET', '/api/jobs?kind=webacl.replay', { as: panel.admin })
      const { id } = data.items.find(({ state }: any) => state === 'running')
      await panel.request('POST', `/api/jobs/${id}/cancel`, { as: panel.admin })
      assert.match(((await first) as any).text, /"type":"error"/)
      panel.nginx.replayAccess = gate
      await remove(`/rulesets/${made.id}`)
    },
  )

  test('tells superusers of rules that nginx could not load', async () => {
    const { webacl } = panel.routes.find(({ area }) => area.name === 'webacl')!.context as unknown as Context
    const made = await block('told', { rules: [{ name: 'private', conditions: [condition] }] })
    panel.nginx.simulates({ path: '/', steps: [], problems: [] })
    assert.equal((await send(`/rulesets/${made.id}/apply`, {})).status, 200)
    panel.nginx.reports({ hits: [] })
    assert.deepEqual(await readNotices(webacl), [])
    panel.nginx.reports({ hits: [], problem: 'it is damaged' })
    const [notice, ...more] = await readNotices(webacl)
    assert.deepEqual(
      [notice?.kind, notice?.to, notice?.title, more.length],
      ['access_rules_damaged', 'superusers', 'The access rules of ada cannot be read', 0],
    )
    assert.match(notice?.message ?? '', /are served without them until .* it is damaged/)
    const folder = `${debianLayout.directory}/access`
    const compiled = async () =>
      (await panel.host.files.list(folder)).filter((name) => name.endsWith('.rules'))
    const damaged = await compiled()
    assert.deepEqual([(await get('/pending')).data.pending, (await get('/pending')).data.diff], [true, ''])
    assert.equal((await get('/rulesets')).data.rulesets.at(-1).pending, true)
    const reloads = panel.nginx.reloads
    assert.equal((await send(`/rulesets/${made.id}/apply`, {})).status, 200)
    assert.equal(panel.nginx.reloads, reloads + 1)
    assert.equal((await compiled()).length, damaged.length)
    assert.notDeepEqual(await compiled(), damaged)
    await put(`/rulesets/${made.id}`, { action_options: { on_failure: 'closed' } })
    assert.equal((await send(`/rulesets/${made.id}/apply`, {})).status, 200)
    assert.match((await readNotices(webacl))[0]?.message ?? '', /answer 503/)
    panel.nginx.reports(undefined)
    await remove(`/rulesets/${made.id}`)
    assert.equal((await send(`/rulesets/${made.id}/apply`, {})).status, 200)
  })

  test("refuses bodies that are too large and another owner's rules, and takes names with percent signs", async () => {
    const body = { website_id: site, ip_or_subnet: '192.0.2.1', further: ['x'.repeat(9 * 1024 * 1024)] }
    assert.equal((await ask('POST', '/ip-groups/Office/entries', { body })).status, 413)
    const own = await block('own', { rules: [{ name: 'mine', conditions: [condition] }] })
    const [{ id }] = (await get(`/rulesets/${own.id}/rules`)).data.rules
    const of = { website_id: others }
    const foreign: readonly (readonly [string, string, object?])[] = [
      ['PUT', `/rules/${id}`, { ...of, name: 'x' }],
      ['DELETE', `/rules/${id}?website_id=${others}`],
      ['POST', `/rules/${id}/conditions`, { ...of, ...condition }],
      ['DELETE', `/conditions/0?website_id=${others}&rule_id=${id}`],
      ['POST', `/rulesets/${own.id}/rules`, { ...of, name: 'x' }],
      ['POST', `/rulesets/${own.id}/apply`, of],
    ]
    for (const [method, path, sent] of foreign)
      assert.equal((await ask(method, path, sent && { body: sent })).status, 404, path)
    assert.equal((await get(`/rulesets/${own.id}/rules`)).data.rules[0].name, 'mine')
    await remove(`/rulesets/${own.id}`)
    for (const name of ['100%', 'a%2Fb', '"]] os.execute("x") --']) {
      assert.equal((await send('/ip-groups', { name })).status, 201)
      const path = `/ip-groups/${encodeURIComponent(name)}`
      assert.deepEqual((await get(`${path}/entries`)).data, [])
      assert.equal((await remove(path)).status, 200)
    }
    assert.equal((await get('/ip-groups/a%2Fb/entries')).status, 400)
  })

  test('are named where nginx has lost what loads them, and the other websites are written', async () => {
    const made = await block('lasting', { rules: [{ name: 'private', conditions: [condition] }] })
    panel.nginx.simulates({ path: '/', steps: [], problems: [] })
    assert.equal((await send(`/rulesets/${made.id}/apply`, {})).status, 200)
    await panel.host.files.remove('/etc/nginx/conf.d/hostreeve-access.conf')
    const { data } = await panel.request('POST', '/api/system/rewrite-all', { as: panel.admin })
    assert.deepEqual(
      data.left.filter(({ reason }: { reason: string }) => reason.includes('access rules')),
      [
        {
          domain: 'a.example.com',
          reason: 'Its access rules need the scripting module of nginx: install it again',
        },
      ],
    )
  })

  test('can be switched off as a plugin', async () => {
    await panel.request('POST', '/api/plugins/webacl/disable', { as: panel.admin })
    assert.equal((await get('/rulesets')).status, 403)
    await panel.request('POST', '/api/plugins/webacl/enable', { as: panel.admin })
    assert.equal((await get('/rulesets')).status, 200)
  })
})
