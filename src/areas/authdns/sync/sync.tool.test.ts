import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../../test/support/panel.ts'
import { scriptPackages } from '../../../host/testing/scripted-host.ts'
import { type ScratchPowerdns, startPowerdns } from '../../../tools/powerdns/testing/scratch-powerdns.ts'

const openPanelOf = async (server: ScratchPowerdns): Promise<TestPanel> => {
  const panel = await openTestPanel({ scripts: [scriptPackages(new Map([['pdns-server', '4.7.3-2']]))] })
  server.serveTo(panel.root)
  await panel.start()
  return panel
}

describe('sync between two panels', () => {
  let [source, target]: ScratchPowerdns[] = []
  let [first, second]: TestPanel[] = []
  let listener: Server
  let url: string
  let key: string
  before(async () => {
    source = await startPowerdns()
    target = await startPowerdns()
    first = await openPanelOf(source)
    second = await openPanelOf(target)
    await second.app.ready()
    const { app } = second
    listener = createServer((request, reply) => app.routing(request, reply)).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const address = listener.address()
    assert.ok(typeof address === 'object' && address !== null)
    url = `http://127.0.0.1:${address.port}`
    key = (await must(second, 'POST', 'sync-api-key')).api_key
  })
  after(async () => {
    listener?.closeAllConnections()
    listener?.close()
    await first?.close()
    await second?.close()
    await source?.stop()
    await target?.stop()
  })

  const ask = (panel: TestPanel, method: string, path: string, body?: unknown) =>
    panel.request(method, `/api/authdns/${path}`, { as: panel.admin, ...(body !== undefined && { body }) })
  const must = async (panel: TestPanel, method: string, path: string, body?: unknown) => {
    const { status, data, text } = await ask(panel, method, path, body)
    assert.ok(status < 300, text)
    return data
  }
  const withKey = (path: string, body: unknown, sent = key, ip?: string) =>
    second!.request('POST', `/api/authdns/${path}`, {
      body,
      headers: sent === '' ? {} : { 'x-panel-sync-key': sent },
      ...(ip !== undefined && { ip }),
    })
  const record = (content: string) => ({ name: 'www', type: 'A', ttl: 60, records: [{ content }] })
  const base = [
    { name: '@', type: 'SOA', records: [{ content: 'ns1.example. admin.example. 1 7200 3600 1209600 60' }] },
    { name: '@', type: 'NS', records: [{ content: 'ns1.example.' }] },
  ]

  test('pushes a zone, its changes and its removal, as dig sees, and tells the state of each', async () => {
    const name = 'pushed.example'
    const server = await must(first!, 'POST', 'sync-servers', { name: 'second', url, api_key: key })
    assert.match(server.api_key, /•/)
    await must(first!, 'POST', 'zones', { name, rrsets: [record('192.0.2.1')] })
    const stateOf = async () => {
      const { servers } = await must(first!, 'GET', 'sync-status')
      return servers[0].zones.find((zone: { name: string }) => zone.name === name)?.status
    }
    const pushed = {
      server_id: server.id,
      name: 'second',
      success: true,
      pushed: 1,
      failed: 0,
      message: null,
    }
    assert.equal(await stateOf(), 'pending')
    assert.deepEqual(await must(first!, 'POST', 'sync-push', {}), { results: [pushed] })
    assert.deepEqual(await target!.dig(`www.${name}`, 'A'), ['192.0.2.1'])
    assert.equal(await stateOf(), 'synced')
    await must(first!, 'PATCH', `zones/${name}/records`, {
      rrsets: [
        { name: 'www', type: 'A', changetype: 'DELETE' },
        { ...record('192.0.2.2'), name: 'mail' },
      ],
    })
    assert.equal(await stateOf(), 'pending')
    await must(first!, 'POST', 'sync-push', { zones: [name], servers: [server.id] })
    assert.deepEqual(await target!.dig(`mail.${name}`, 'A'), ['192.0.2.2'])
    assert.deepEqual(await target!.dig(`www.${name}`, 'A'), [])
    const { received } = await must(second!, 'GET', 'sync-status')
    assert.deepEqual([received[0].name, received[0].absent], [name, false])
    await must(first!, 'DELETE', `zones/${name}`)
    assert.equal(await stateOf(), 'pending')
    assert.deepEqual(await must(first!, 'POST', 'sync-push', {}), { results: [pushed] })
    assert.equal((await ask(second!, 'GET', `zones/${name}`)).status, 404)
    assert.deepEqual((await must(first!, 'POST', 'sync-push', {})).results[0].pushed, 0)
    await must(first!, 'DELETE', `sync-servers/${server.id}`)
    assert.deepEqual(await must(first!, 'GET', 'sync-servers'), [])
    assert.equal((await ask(first!, 'DELETE', `sync-servers/${server.id}`)).status, 404)
  })

  test('applies each change once, and never an older one', async () => {
    const zone_name = 'once.example'
    const change = (change_id: number, content: string) =>
      withKey('sync-zone', { zone_name, change_id, rrsets: [...base, record(content)] })
    assert.deepEqual((await change(10, '192.0.2.10')).data, { success: true, applied: true, changed: 3 })
    assert.deepEqual((await change(12, '192.0.2.12')).data, { success: true, applied: true, changed: 3 })
    const { serial } = await must(second!, 'GET', `zones/${zone_name}`)
    for (const [id, content] of [
      [12, '192.0.2.99'],
      [11, '192.0.2.11'],
    ] as const)
      assert.deepEqual((await change(id, content)).data, { success: true, applied: false, changed: 0 })
    assert.deepEqual((await change(13, '192.0.2.12')).data, { success: true, applied: true, changed: 0 })
    assert.deepEqual(await target!.dig(`www.${zone_name}`, 'A'), ['192.0.2.12'])
    assert.equal((await must(second!, 'GET', `zones/${zone_name}`)).serial, serial)
    const removal = { zone_name, change_id: 14, absent: true }
    assert.equal((await withKey('sync-zone', removal)).data.applied, true)
    assert.equal((await change(13, '192.0.2.13')).data.applied, false)
    assert.equal((await ask(second!, 'GET', `zones/${zone_name}`)).status, 404)
  })

  test('accepts a zone from a superuser, and refuses what is none', async () => {
    const zone = { zone_name: 'super.example', change_id: 1, rrsets: [...base, record('192.0.2.1')] }
    assert.equal((await ask(second!, 'POST', 'sync-zone', zone)).status, 200)
    await must(second!, 'POST', 'zones', { name: 'own.example' })
    for (const [body, message] of [
      [{ zone_name: 'a..example', change_id: 1, rrsets: base }, /zone_name: .*empty label/],
      [{ zone_name: 'bad.example', change_id: 1, rrsets: [] }, /rrsets: must have the record sets/],
      [{ zone_name: 'bad.example', change_id: 1, rrsets: [record('192.0.2')] }, /must be an IPv4 address/],
      [{ zone_name: 'bad.example', change_id: 0, rrsets: base }, /change_id/],
      [{ zone_name: 'own.example', change_id: 1, absent: true }, /was not received from a panel/],
    ] as const) {
      const { status, error, text } = await withKey('sync-zone', body)
      assert.deepEqual([status, error?.code], [400, 'bad_request'], text)
      assert.match(error.message, message)
    }
    assert.equal((await ask(second!, 'GET', 'zones/own.example')).status, 200)
  })

  test('removes a signed zone only on this panel', async () => {
    const zone_name = 'signed.example'
    await withKey('sync-zone', { zone_name, change_id: 1, rrsets: base })
    await must(second!, 'POST', `zones/${zone_name}/dnssec`)
    const { status, error } = await withKey('sync-zone', { zone_name, change_id: 2, absent: true })
    assert.deepEqual([status, error.code], [409, 'force_required'])
  })

  test('imports a zone file with the key alone', async () => {
    const zone_name = 'imported.example.'
    const bind_data = '$TTL 60\n@ SOA ns1 admin 1 7200 3600 1209600 60\n@ NS ns1\nns1 A 192.0.2.1\n'
    const { status, data, text } = await withKey('import-bind', { zone_name, bind_data })
    assert.deepEqual([status, data], [200, { success: true }], text)
    assert.deepEqual(await target!.dig('ns1.imported.example', 'A'), ['192.0.2.1'])
    await withKey('import-bind', { zone_name: 'imported.example', bind_data: '$TTL 60\nns1 A 192.0.2.9\n' })
    assert.deepEqual(await target!.dig('ns1.imported.example', 'A'), ['192.0.2.9'])
    assert.equal((await ask(second!, 'POST', 'import-bind', { zone_name, bind_data })).status, 401)
    for (const body of [
      {},
      { zone_name },
      { zone_name, bind_data: '; nothing\n' },
      { zone_name: '', bind_data },
    ]) {
      const answer = await withKey('import-bind', body)
      assert.deepEqual([answer.status, answer.error?.code], [400, 'bad_request'], answer.text)
    }
    assert.ok((await must(second!, 'GET', 'sync-api-key')).last_used !== null)
  })

  test('refuses a wrong, missing or replaced key, and an address after many attempts', async () => {
    const zone = { zone_name: 'refused.example', change_id: 1, rrsets: base }
    const ip = '10.98.0.1'
    for (const path of ['sync-zone', 'import-bind'])
      for (const sent of ['', `${key}0`]) {
        const { status, error } = await withKey(path, zone, sent, ip)
        assert.deepEqual([status, error.code], [401, 'unauthorized'])
      }
    let statuses: readonly number[] = []
    for (let count = 0; count < 200 && statuses.at(-1) !== 429; count += 1)
      statuses = [...statuses, (await withKey('sync-zone', zone, 'wrong', ip)).status]
    assert.equal(statuses.at(-1), 429)
    assert.equal((await ask(second!, 'GET', 'zones/refused.example')).status, 404)
    const former = key
    key = (await must(second!, 'POST', 'sync-api-key')).api_key
    assert.equal((await withKey('sync-zone', zone, former, '10.98.0.2')).status, 401)
    const shown = await ask(second!, 'GET', 'sync-api-key')
    assert.deepEqual([shown.data.configured, shown.text.includes(key)], [true, false])
  })

  test('tells for each server why it did not take a zone', async () => {
    await must(first!, 'POST', 'zones', { name: 'lost.example' })
    await must(first!, 'POST', 'sync-servers', { name: 'closed', url: 'http://127.0.0.1:1', api_key: 'k' })
    await must(first!, 'POST', 'sync-servers', { name: 'wrong key', url, api_key: 'hrs_wrong' })
    const plan = await must(first!, 'POST', 'sync-push?plan=1', {})
    assert.equal(plan.steps.length, 2)
    const { results } = await must(first!, 'POST', 'sync-push', {})
    assert.deepEqual(
      results.map(({ success, pushed, failed }: Record<string, unknown>) => [success, pushed, failed]),
      [
        [false, 0, 1],
        [false, 0, 1],
      ],
    )
    assert.match(results[0].message, /lost\.example: .*refused/)
    assert.match(results[1].message, /lost\.example: it refused the sync key/)
    const { servers } = await must(first!, 'GET', 'sync-status')
    assert.deepEqual([servers[0].zones[0].status, servers[0].zones[0].name], ['failed', 'lost.example'])
    for (const [body, status] of [
      [{ zones: ['unknown.example'] }, 404],
      [{ zones: ['a..b'] }, 400],
      [{ servers: [999] }, 404],
    ] as const)
      assert.equal((await ask(first!, 'POST', 'sync-push', body)).status, status)
  })

  test('refuses a sync server without TLS, with a path, without a key or with a name in use', async () => {
    const draft = { name: 'named', url: 'https://ns2.example.com:2087', api_key: 'hrs_1234' }
    await must(first!, 'POST', 'sync-servers', draft)
    for (const [change, status, message] of [
      [{}, 409, /name: there is a sync server named/],
      [{ name: 'x', url: 'http://ns2.example.com' }, 400, /url: must begin with https/],
      [{ name: 'x', url: 'https://ns2.example.com/panel' }, 400, /url: .*without a path/],
      [{ name: 'x', url: 'ftp://ns2.example.com' }, 400, /url: must begin with http/],
      [{ name: 'x', api_key: '••••••••' }, 400, /api_key: must be the key/],
      [{ name: ' ' }, 400, /name: must not be empty/],
    ] as const) {
      const answer = await ask(first!, 'POST', 'sync-servers', { ...draft, ...change })
      assert.equal(answer.status, status, answer.text)
      assert.match(answer.error.message, message)
    }
  })

  test('is for superusers, and takes nothing after the key was deleted', async () => {
    const person = await second!.person()
    for (const [method, path] of [
      ['GET', 'sync-servers'],
      ['POST', 'sync-api-key'],
      ['POST', 'sync-push'],
      ['GET', 'sync-status'],
      ['POST', 'sync-zone'],
    ] as const) {
      const answer = await second!.request(method, `/api/authdns/${path}`, { as: person, body: {} })
      assert.equal(answer.status, 403, answer.text)
    }
    await must(second!, 'DELETE', 'sync-api-key')
    assert.deepEqual(await must(second!, 'GET', 'sync-api-key'), { configured: false })
    assert.equal((await withKey('import-bind', {}, key, '10.98.0.3')).status, 401)
  })
})
