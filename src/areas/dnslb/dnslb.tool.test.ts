import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import {
  type DrivenDnsdist,
  dnsdistSkipReason,
  startDrivenDnsdist,
} from '../../tools/dnsdist/testing/scratch.ts'

describe('dnslb with the real dnsdist', { skip: dnsdistSkipReason() }, () => {
  let dnsdist: DrivenDnsdist
  let panel: TestPanel
  let keeper: Person
  before(async () => {
    dnsdist = await startDrivenDnsdist()
    panel = await openTestPanel({ dnsdist: dnsdist.options })
    await panel.start()
    keeper = await panel.person({ permissions: ['administrative_operations'] })
    const { status, error } = await ask('POST', '/servers', { name: 'first', ...dnsdist.backend, mode: 'up' })
    assert.equal(status, 200, error?.message)
  })
  after(async () => {
    await panel?.close()
    await dnsdist?.stop()
  })
  const ask = (method: string, path: string, body?: unknown, as = keeper) =>
    panel.request(method, `/api/dnslb${path}`, { as, ...(body !== undefined && { body }) })
  const refusal = async (method: string, path: string, body?: unknown, as = keeper) => {
    const { status, error } = await ask(method, path, body, as)
    return `${status} ${error?.code} ${error?.message}`
  }
  const works = async (method: string, path: string, body?: unknown) => {
    const { status, error, json } = await ask(method, path, body)
    assert.ok(status < 300, `${status} ${error?.message}`)
    return json
  }

  test('only those with the permission use it', async () => {
    const stranger = await panel.person({ permissions: [] })
    assert.equal((await ask('GET', '/status', undefined, stranger)).status, 403)
  })

  test('queries reach a server, whose health and queries are listed', async () => {
    assert.equal(await dnsdist.dig('www.example'), 'NOERROR')
    const { data } = await works('GET', '/servers')
    const { name, address, state, queries, latency_ms } = data.servers[0]
    assert.deepEqual([name, address, state], ['first', `127.0.0.1:${dnsdist.backend.port}`, 'up'])
    assert.ok(queries >= 1)
    assert.ok(latency_ms >= 0)
  })

  test('status and statistics come from the running dnsdist', async () => {
    const { data: status } = await works('GET', '/status')
    assert.equal(status.running, true)
    assert.match(status.version, /^1\./)
    assert.equal(status.addresses.length, 1)
    const { data: before } = await works('GET', '/stats')
    await dnsdist.dig('counted.example')
    const { data: stats } = await works('GET', '/stats')
    assert.ok(stats.queries > before.queries)
  })

  test('a server is removed unless it is unknown or a rule needs it', async () => {
    await works('POST', '/servers', { name: 'second', ...dnsdist.backend, pool: 'side', mode: 'up' })
    const rule = { name: 'aside', match: 'domain', value: 'side.test', action: 'pool', pool: 'side' }
    const { data } = await works('POST', '/rules', rule)
    assert.match(await refusal('DELETE', '/servers/second'), /^409 conflict name: the rule aside/)
    await works('DELETE', `/rules/${data.id}`)
    await works('DELETE', '/servers/second')
    assert.match(await refusal('DELETE', '/servers/second'), /^404 not_found name: there is no server second/)
    assert.match(
      await refusal('POST', '/servers', { name: 'bad', address: 'ns.example.com' }),
      /^400 bad_request address: "ns.example.com" is not an IP address/,
    )
  })

  test('address lists block clients and exempt others', async () => {
    await works('POST', '/address-lists', {
      name: 'fri ends!',
      action: 'allow',
      addresses: ['::ffff:127.9.0.1'],
    })
    await works('POST', '/address-lists', { name: 'foes', action: 'block', addresses: ['127.9.0.0/16'] })
    assert.equal(await dnsdist.dig('www.example', '127.9.0.1'), 'NOERROR')
    assert.equal(await dnsdist.dig('www.example', '127.9.0.2'), 'REFUSED')
    const { lists } = await works('GET', '/address-lists')
    assert.deepEqual(lists[0], { name: 'friends', action: 'allow', addresses: ['127.9.0.1'], rate_limit: 10 })
    await works('DELETE', '/address-lists/foes')
    await works('DELETE', '/address-lists/never')
    assert.equal(await dnsdist.dig('www.example', '127.9.0.2'), 'NOERROR')
  })

  test('a rate limit drops the queries of a client beyond it; 0 means 10', async () => {
    const list = { name: 'slow', action: 'ratelimit', addresses: ['127.8.0.1'] }
    await works('POST', '/address-lists', { ...list, rate_limit: 0 })
    assert.equal((await works('GET', '/address-lists')).lists.at(-1).rate_limit, 10)
    await works('POST', '/address-lists', { ...list, rate_limit: 10_000_000 })
    const many = await Promise.all(Array.from({ length: 20 }, () => dnsdist.dig('www.example', '127.8.0.1')))
    assert.ok(!many.includes(undefined), 'the limit drops what it allows')
    assert.match(
      await refusal('POST', '/address-lists', { ...list, rate_limit: 10_000_000_000 }),
      /^400 bad_request rate_limit/,
    )
    await works('POST', '/address-lists', { ...list, rate_limit: 1 })
    const burst = Array.from({ length: 20 }, () => dnsdist.dig('www.example', '127.8.0.1'))
    assert.ok((await Promise.all(burst)).includes(undefined), 'the limit drops nothing')
    await works('DELETE', '/address-lists/slow')
  })

  test('refuses an address that is none, and a name without usable characters', async () => {
    const list = { name: 'x', action: 'block', addresses: ['192.0.2.0/33'] }
    assert.match(await refusal('POST', '/address-lists', list), /^400 bad_request addresses: "192.0.2.0\/33"/)
    assert.match(
      await refusal('POST', '/address-lists', { ...list, name: '"]]', addresses: [] }),
      /^400 bad_request name:/,
    )
    assert.match(await refusal('DELETE', '/address-lists/!'), /^400 bad_request name:/)
  })

  test('domain lists block names in their order, and clean what they are given', async () => {
    const { count } = await works('POST', '/domain-lists', {
      name: 'Ads',
      action: 'block',
      domains: '.Bad.test\nlocalhost\n"evil.test"\nbad.test',
    })
    assert.equal(count, 2)
    await works('POST', '/domain-lists', { name: 'good', action: 'whitelist', domains: 'good.bad.test' })
    assert.equal(await dnsdist.dig('www.good.bad.test'), 'NXDOMAIN')
    await works('POST', '/domain-lists/reorder', { order: ['good'] })
    assert.equal(await dnsdist.dig('www.good.bad.test'), 'NOERROR')
    assert.equal(await dnsdist.dig('www.evil.test'), 'NXDOMAIN')
    const { lists } = await works('GET', '/domain-lists')
    assert.deepEqual(lists[1], { name: 'ads', action: 'block', domains: ['bad.test', 'evil.test'], count: 2 })
    await works('DELETE', '/domain-lists/ads')
    assert.equal(await dnsdist.dig('www.evil.test'), 'NOERROR')
    assert.equal(
      readdirSync(dnsdist.options.layout.directory).filter((name) => name.endsWith('.cdb')).length,
      1,
    )
  })

  test('serves a list of 100,000 domains, returns them in their order, and restores them with an undo', async () => {
    const domains = Array.from({ length: 100_000 }, (_each, index) => `n${index}.many.test`)
    const list = { name: 'many', action: 'block', domains: domains.join('\n') }
    assert.equal((await works('POST', '/domain-lists', list)).count, 100_000)
    const listed = async () =>
      (await works('GET', '/domain-lists')).lists.find(({ name }: { name: string }) => name === 'many')
    assert.deepEqual(await listed(), { ...list, domains, count: 100_000 })
    for (const name of ['n0.many.test', 'x.n99999.many.test'])
      assert.equal(await dnsdist.dig(name), 'NXDOMAIN')
    assert.equal(await dnsdist.dig('n100000.many.test'), 'NOERROR')
    await works('DELETE', '/domain-lists/many')
    assert.equal(await dnsdist.dig('n0.many.test'), 'NOERROR')
    const { data } = await panel.request('GET', '/api/activity?per_page=1', { as: panel.admin })
    const undo = await panel.request('POST', `/api/activity/${data.items[0].id}/undo`, { as: panel.admin })
    assert.equal(undo.status, 200, undo.text)
    assert.equal(await dnsdist.dig('n0.many.test'), 'NXDOMAIN')
    assert.equal((await listed()).count, 100_000)
    await works('DELETE', '/domain-lists/many')
  })

  test('refuses domain lists without a domain or a proper name, and an unknown order', async () => {
    const list = { name: 'empty', action: 'block', domains: 'localhost' }
    assert.match(await refusal('POST', '/domain-lists', list), /^400 bad_request domains:/)
    assert.match(await refusal('POST', '/domain-lists', { ...list, name: 'a1' }), /^400 bad_request name:/)
    assert.match(
      await refusal('POST', '/domain-lists/reorder', { order: ['nope'] }),
      /^400 bad_request order:/,
    )
    assert.match(await refusal('DELETE', '/domain-lists/%20'), /^400 bad_request name:/)
  })

  test('rules match record types, domains and clients in their order', async () => {
    const { data: refuse } = await works('POST', '/rules', {
      name: 'no A of x',
      match: 'domain',
      value: 'x.test',
      action: 'refuse',
    })
    const { data: allow } = await works('POST', '/rules', {
      name: 'not for me',
      match: 'client',
      value: '::ffff:127.0.0.1',
      action: 'allow',
    })
    assert.equal(await dnsdist.dig('x.test'), 'REFUSED')
    await works('POST', '/rules/reorder', { order: [allow.id] })
    assert.equal(await dnsdist.dig('x.test'), 'NOERROR')
    assert.equal(await dnsdist.dig('x.test', '127.0.0.2'), 'REFUSED')
    const { data } = await works('GET', '/rules')
    assert.deepEqual(
      data.rules.map(({ id }: { id: number }) => id),
      [allow.id, refuse.id],
    )
    for (const { id } of [allow, refuse]) await works('DELETE', `/rules/${id}`)
    await works('POST', '/rules', { name: 'type', match: 'type', value: 'A', action: 'nxdomain' })
    assert.equal(await dnsdist.dig('x.test'), 'NXDOMAIN')
    const [{ id }] = (await works('GET', '/rules')).data.rules
    await works('DELETE', `/rules/${id}`)
    assert.match(await refusal('DELETE', `/rules/${id}`), /^404 not_found/)
  })

  test('lists the names that are blocked most, with what blocks them', async () => {
    await works('POST', '/domain-lists', { name: 'fine', action: 'whitelist', domains: 'fine.spam.test' })
    await works('POST', '/domain-lists', { name: 'spam', action: 'block', domains: 'spam.test' })
    const rule = { name: 'No games', match: 'domain', value: 'games.test', action: 'refuse' }
    const { data: made } = await works('POST', '/rules', rule)
    for (const name of ['X.spam.test', 'x.spam.test', 'fine.spam.test', 'www.games.test', 'other.test'])
      await dnsdist.dig(name)
    const { data } = await works('GET', '/blocked-names')
    const found = data.names.filter(({ by }: { by: string }) => /spam|games/.test(by))
    assert.deepEqual(found, [
      { name: 'x.spam.test', queries: 2, by: 'domain list spam' },
      { name: 'www.games.test', queries: 1, by: 'rule No games' },
    ])
    await works('DELETE', `/rules/${made.id}`)
    for (const name of ['spam', 'fine']) await works('DELETE', `/domain-lists/${name}`)
    const after = await works('GET', '/blocked-names')
    assert.ok(!after.data.names.some(({ by }: { by: string }) => /spam|games/.test(by)))
  })

  test('refuses rules that are not valid', async () => {
    const rule = { name: 'r', match: 'client', value: 'x', action: 'drop' }
    assert.match(await refusal('POST', '/rules', rule), /^400 bad_request value: must be an address/)
    assert.match(await refusal('POST', '/rules/reorder', { order: [99] }), /^400 bad_request order:/)
    const pooled = { name: 'r', match: 'all', value: '', action: 'pool', pool: 'none' }
    assert.match(await refusal('POST', '/rules', pooled), /^409 conflict pool:/)
  })

  test('a record type that dnsdist does not know changes nothing, and its message is quoted', async () => {
    const before = await works('GET', '/rules')
    const rule = { name: 'r', match: 'type', value: 'NOSUCH', action: 'drop' }
    assert.match(await refusal('POST', '/rules', rule), /^500 config_failed dnsdist: .*NOSUCH/s)
    assert.deepEqual(await works('GET', '/rules'), before)
    assert.equal(await dnsdist.dig('www.example'), 'NOERROR')
  })

  test('a running dnsdist takes servers, lists, rules and their undo without a restart', async () => {
    const { started_at: before } = (await works('GET', '/status')).data
    const { text: plan } = await ask('POST', '/servers?plan=1', { name: 'live', ...dnsdist.backend })
    assert.match(plan, /without a restart/)
    const names = async () =>
      (await works('GET', '/servers')).data.servers.map(({ name, state }: Record<string, string>) => [
        name,
        state,
      ])
    await works('POST', '/servers', { name: 'live', ...dnsdist.backend, pool: 'live', mode: 'auto' })
    assert.deepEqual(await names(), [
      ['first', 'up'],
      ['live', 'up'],
    ])
    await works('POST', '/servers', { name: 'live', ...dnsdist.backend, pool: 'live', mode: 'down' })
    assert.deepEqual((await names())[1], ['live', 'down'])
    const pooled = { name: 'to live', match: 'domain', value: 'live.test', action: 'pool', pool: 'live' }
    const { data: rule } = await works('POST', '/rules', pooled)
    assert.notEqual(await dnsdist.dig('live.test'), 'NOERROR')
    await works('POST', '/servers', { name: 'live', ...dnsdist.backend, pool: 'live', mode: 'up' })
    assert.equal(await dnsdist.dig('live.test'), 'NOERROR')
    await works('POST', '/domain-lists', { name: 'live', action: 'block', domains: 'live.test' })
    assert.equal(await dnsdist.dig('live.test'), 'NXDOMAIN')
    await works('DELETE', '/domain-lists/live')
    assert.equal(await dnsdist.dig('live.test'), 'NOERROR')
    await works('DELETE', `/rules/${rule.id}`)
    await works('DELETE', '/servers/live')
    assert.deepEqual(await names(), [['first', 'up']])
    assert.equal((await works('GET', '/status')).data.started_at, before)
  })

  test('a rule of the configuration after those of the panel keeps its place: dnsdist restarts', async () => {
    const { configPath } = dnsdist.options.layout
    const config = readFileSync(configPath, 'utf8')
    writeFileSync(configPath, `${config}addAction("last.test", RCodeAction(DNSRCode.REFUSED))\n`)
    const { started_at: before } = (await works('GET', '/status')).data
    const rule = { name: 'first', match: 'domain', value: 'ok.last.test', action: 'allow' }
    const { data } = await works('POST', '/rules', rule)
    assert.notEqual((await works('GET', '/status')).data.started_at, before)
    assert.equal(await dnsdist.dig('ok.last.test'), 'NOERROR')
    assert.equal(await dnsdist.dig('www.last.test'), 'REFUSED')
    writeFileSync(configPath, config)
    await works('DELETE', `/rules/${data.id}`)
    await works('POST', '/restart')
  })

  test('no text becomes Lua', async () => {
    const lua = '"}) os.execute("touch /tmp/lua") --'
    for (const [path, body] of [
      ['/servers', { name: lua, ...dnsdist.backend }],
      ['/servers', { name: 'x', ...dnsdist.backend, pool: lua }],
      ['/servers', { name: 'x', address: lua, port: 53 }],
      ['/address-lists', { name: 'x', action: 'block', addresses: [lua] }],
      ['/domain-lists', { name: lua, action: 'block', domains: 'a.test' }],
      ['/rules', { name: 'x', match: 'client', value: lua, action: 'drop' }],
      ['/rules', { name: 'x', match: 'type', value: lua, action: 'drop' }],
      ['/rules', { name: 'x', match: 'domain', value: `${'a'.repeat(64)}.test`, action: 'drop' }],
      ['/rules', { name: 'x', match: 'domain', value: lua, action: 'drop' }],
      ['/rules', { name: 'x', match: 'all', value: '', action: 'pool', pool: lua }],
    ] as const)
      assert.match(await refusal('POST', path, body), /^400 bad_request/, JSON.stringify(body))
    // these are kept as names, and quoted
    await works('POST', '/address-lists', { name: lua, action: lua, addresses: ['192.0.2.1'] })
    const { data } = await works('POST', '/rules', {
      name: lua,
      match: 'domain',
      value: 'x.test',
      action: 'allow',
    })
    await works('POST', '/domain-lists', { name: 'lua', action: 'block', domains: `${lua}\nok.test` })
    const { lists } = await works('GET', '/domain-lists')
    assert.ok(lists.at(-1).domains.every((each: string) => /^[a-z0-9.-]+$/.test(each)))
    assert.equal((await works('GET', '/address-lists')).lists.at(-1).name, 'osexecutetouchtmplua--')
    await works('DELETE', '/address-lists/osexecutetouchtmplua--')
    await works('DELETE', '/domain-lists/lua')
    await works('DELETE', `/rules/${data.id}`)
  })

  test('a plan tells how dnsdist takes the change and changes nothing', async () => {
    const server = { name: 'planned', ...dnsdist.backend }
    const { text } = await ask('POST', '/servers?plan=1', server)
    assert.match(text, /dnsdist takes the change as it runs/)
    assert.equal((await works('GET', '/servers')).data.servers.length, 1)
  })

  test('the lists of another panel replace all lists', async () => {
    await works('POST', '/sync-files', {
      address_lists: [{ name: 'peer', action: 'block', addresses: ['127.7.0.1'] }],
      domain_lists: [{ name: 'peer', action: 'block', domains: 'peer.test' }],
    })
    assert.equal(await dnsdist.dig('www.example', '127.7.0.1'), 'REFUSED')
    assert.equal(await dnsdist.dig('peer.test'), 'NXDOMAIN')
    assert.equal((await works('GET', '/domain-lists')).lists.length, 1)
    const bad = { address_lists: [{ name: 'x', action: 'block', addresses: ['y'] }] }
    assert.match(await refusal('POST', '/sync-files', bad), /^400 bad_request addresses:/)
    await works('POST', '/sync-files', {})
  })

  test('only a superuser replaces the configuration, and the former one is kept', async () => {
    const { config } = await works('GET', '/config')
    assert.match(await refusal('POST', '/config', { config }), /^403/)
    const changed = `${config}-- by hand\n`
    const { status, error } = await ask('POST', '/config', { config: changed }, panel.admin)
    assert.equal(status, 200, error?.message)
    const { configPath } = dnsdist.options.layout
    assert.equal(readFileSync(configPath, 'utf8'), changed)
    const directory = configPath.slice(0, configPath.lastIndexOf('/'))
    const backups = readdirSync(directory).filter((name) => /^dnsdist\.conf\.\d+$/.test(name))
    assert.equal(backups.length, 1)
    assert.equal(readFileSync(`${directory}/${backups[0]}`, 'utf8'), config)
    assert.equal(await dnsdist.dig('www.example'), 'NOERROR')
  })

  test('refuses a configuration that is wrong, or does not include the rules', async () => {
    const { config } = await works('GET', '/config')
    const post = (text: string) => refusal('POST', '/config', { config: text }, panel.admin)
    assert.match(await post(`${config}setLocal(`), /^400 invalid_config config: .*unexpected symbol/s)
    const hidden = config.replaceAll('dofile', '-- dofile')
    assert.match(await post(hidden), /^400 invalid_config config: must contain the lines dofile/)
    assert.deepEqual(await works('GET', '/config'), { config })
  })

  test('a configuration with which dnsdist does not start is taken back, and its message is quoted', async () => {
    const { config } = await works('GET', '/config')
    const taken = `${config}addLocal("127.0.0.1:${dnsdist.backend.port}")\n`
    const answer = await refusal('POST', '/config', { config: taken }, panel.admin)
    assert.match(answer, /^500 write_failed dnsdist: .*Address already in use/s)
    assert.deepEqual(await works('GET', '/config'), { config })
    assert.equal(await dnsdist.dig('www.example'), 'NOERROR')
  })

  test('a list that dnsdist cannot load with the configuration is config_error', async () => {
    const { configPath } = dnsdist.options.layout
    const config = readFileSync(configPath, 'utf8')
    writeFileSync(configPath, `${config}setLocal(\n`)
    const list = { name: 'late', action: 'block', domains: 'late.test' }
    assert.match(
      await refusal('POST', '/domain-lists', list),
      /^500 config_error dnsdist: .*unexpected symbol/s,
    )
    writeFileSync(configPath, config)
    assert.equal(await dnsdist.dig('late.test'), 'NOERROR')
  })

  test('files that are too large are write_error and delete_error', async () => {
    const path = `${dnsdist.options.layout.directory}/balancer.conf`
    const rules = readFileSync(path, 'utf8')
    writeFileSync(path, `${rules}${'-- x\n'.repeat(4 * 1024 * 1024)}`)
    const list = { name: 'late', action: 'block', domains: 'late.test' }
    assert.match(await refusal('POST', '/domain-lists', list), /^500 write_error/)
    assert.match(await refusal('DELETE', '/domain-lists/late'), /^500 delete_error/)
    writeFileSync(path, rules)
  })

  test('stops, starts and restarts', async () => {
    await works('POST', '/stop')
    assert.equal(await dnsdist.dig('www.example'), undefined)
    assert.equal((await works('GET', '/status')).data.running, false)
    assert.equal((await works('GET', '/stats')).data.queries, 0)
    assert.equal((await works('GET', '/servers')).data.servers[0].state, 'unknown')
    await works('POST', '/start')
    await works('POST', '/restart')
    assert.equal(await dnsdist.dig('www.example'), 'NOERROR')
  })
})
