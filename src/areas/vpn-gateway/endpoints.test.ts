import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, beforeEach, describe, test } from 'node:test'
import { meshLayout } from '../../../test/support/mesh.ts'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { type PhpmyadminSource, startPhpmyadminSource } from '../../../test/support/phpmyadmin.ts'
import { until } from '../../../test/support/until.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import { scriptSystemd } from '../../host/testing/scripted-host.ts'
import type { Script } from '../../host/testing/scripted-run.ts'
import { scheduleNamed } from '../../jobs/schedules.ts'
import { updateRow } from '../../store/rows.ts'
import { renderConfiguration } from '../../tools/headscale/configuration.ts'
import {
  configurationPath,
  databasePath,
  keyPath,
  programPath,
  version,
} from '../../tools/headscale/layout.ts'
import {
  apiPrefixOf,
  nodeOf,
  shownPrefixOf,
  standInHeadscale,
} from '../../tools/headscale/testing/stand-in.ts'
import { programDirectory, service as clientService } from '../../tools/tailscale/layout.ts'
import { architectureHere } from '../../tools/tailscale/program.ts'
import { scriptTailscale, type StandInNode } from '../../tools/tailscale/testing/stand-in.ts'
import { areas } from '../../app/areas.ts'
import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { ipsecSubnets, vpnGateway } from './index.ts'
import { portsOfMesh } from './ports.ts'

const ada = { id: '1001', name: 'ada', createdAt: '2026-01-01T00:00:00Z' }
const bob = { id: '1002', name: 'bob', createdAt: '2026-01-01T00:00:00Z' }

/** An area with an IPsec tunnel. */
const tunnels = area({
  ...{ name: 'tunnels', title: 'Tunnels', base: '/tunnels', guard: superuser, errors: 'coded' },
  endpoints: {},
  uses: [vpnGateway],
  contributes: () => [contribution(ipsecSubnets, async () => ['10.50.0.0/16'])],
  open: () => ({}),
})

describe('the VPN gateway', () => {
  const server = standInHeadscale()
  const node: StandInNode = { isJoined: true, addresses: ['100.64.0.1'], routes: [], keys: [] }
  const services = new Map<string, { isActive: boolean; isEnabled: boolean }>()
  let keyCount = 0
  const program: Script = ([name, ...rest]) => {
    if (name === 'chmod' || name === 'sysctl') return {}
    if (!name?.endsWith('/headscale')) return undefined
    if (rest[0] === 'version') return { stdout: `v${version}\n` }
    const prefix = apiPrefixOf(`own${++keyCount}`)
    return rest.includes('create') ? { stdout: `hskey-api-${prefix}-whole-secret-key\n` } : {}
  }
  let failing: Script = () => undefined
  let source: PhpmyadminSource
  let panel: TestPanel
  let websiteId = 0
  before(async () => {
    source = await startPhpmyadminSource()
    server.isWell = async () => !server.isDown && services.get('headscale')?.isActive === true
    panel = await openTestPanel({
      areas: [...areas, tunnels],
      hasNginx: true,
      headscale: { api: server, startMs: 50 },
      accounts: new Map([['ada', { uid: 1001 }]]),
      scripts: [(...asked) => failing(...asked), scriptTailscale(node), program, scriptSystemd(services)],
      environment: {
        HOSTREEVE_HEADSCALE_URL: source.url,
        HOSTREEVE_TAILSCALE_URL: source.url,
        HOSTREEVE_MAX_WEBSITES: '1',
      },
    })
    for (const path of ['/run/systemd/system', '/etc/sysctl.d'])
      mkdirSync(panel.root + path, { recursive: true })
    const owner = await panel.person({ username: 'ada' })
    websiteId = await addWebsite(panel, { domain: 'vpn.example.com', userId: owner.id, username: 'ada' })
    await panel.start()
  })
  after(async () => {
    source.close()
    await panel.close()
  })
  beforeEach(async () => {
    failing = () => undefined
    source.layout = meshLayout()
    server.users = [{ ...ada }, { ...bob }]
    server.nodes = [
      nodeOf(1, 'gateway', ada),
      nodeOf(2, 'laptop', bob, { availableRoutes: ['10.1.0.0/24', '0.0.0.0/0', '::/0'] }),
    ]
    Object.assign(server, { preAuthKeys: [], apiKeys: [], policy: undefined, refusal: undefined })
    Object.assign(server, { isDown: false, isLocked: false })
    Object.assign(node, { isJoined: true, routes: [], keys: [] })
    services.clear()
    for (const name of ['headscale', clientService]) services.set(name, { isActive: true, isEnabled: true })
    place(programPath, 'x')
    storeKey('2030-01-01T00:00:00.000Z')
    place(
      configurationPath,
      renderConfiguration({
        ...{ domain: 'vpn.example.com', baseDomain: 'mesh.internal', subnet: '100.64.0.0/10' },
        ...{ magicDns: true, nameservers: [] },
      }),
    )
    for (const name of ['tailscale', 'tailscaled'])
      place(`${programDirectory(architectureHere())}/${name}`, 'x')
    await panel.store.db.deleteFrom('vpn_gateway').execute()
    await panel.store.db
      .insertInto('vpn_gateway')
      .values({
        ...{ id: 1, domain: 'vpn.example.com', username: 'ada', base_domain: 'mesh.internal' },
        ...{ subnet: '100.64.0.0/10', magic_dns: 1, nameservers: '[]', website_id: websiteId, revision: 1 },
      })
      .execute()
  })

  function place(path: string, text: string): void {
    mkdirSync(dirname(panel.root + path), { recursive: true })
    writeFileSync(panel.root + path, text)
  }
  const storeKey = (expires_at: string) =>
    place(keyPath, JSON.stringify({ key: `hskey-api-${apiPrefixOf('first')}-whole`, expires_at }))

  /** The addresses in the database of the control server. */
  function storeAddresses(...nodes: readonly (readonly [id: number, ipv4: string, ipv6: string])[]): void {
    gone(dirname(databasePath))
    mkdirSync(panel.root + dirname(databasePath), { recursive: true })
    const database = new DatabaseSync(panel.root + databasePath)
    database.exec('CREATE TABLE nodes (id integer primary key, ipv4 text, ipv6 text)')
    const insert = database.prepare('INSERT INTO nodes VALUES (?, ?, ?)')
    for (const node of nodes) insert.run(...node)
    database.close()
  }
  function storedAddresses(): readonly unknown[] {
    const database = new DatabaseSync(panel.root + databasePath)
    const rows = database.prepare('SELECT ipv4 FROM nodes ORDER BY id').all()
    database.close()
    return rows.map(({ ipv4 }) => ipv4)
  }
  const gone = (path: string) => rmSync(panel.root + path, { recursive: true, force: true })
  const ask = (method: string, path: string, body?: unknown, as: Person = panel.admin) =>
    panel.request(method, `/api/vpn-gateway${path}`, { as, ...(body !== undefined && { body }) })
  const failureOf = async (method: string, path: string, body?: unknown) => {
    const { status, error } = await ask(method, path, body)
    return [status, error?.code, String(error?.message)] as const
  }
  const assertFails = async (
    [method, path, body]: readonly [string, string, unknown?],
    [status, code, message]: readonly [number, string, RegExp],
  ) => {
    const failure = await failureOf(method, path, body)
    assert.deepEqual(failure.slice(0, 2), [status, code], `${path}: ${failure[2]}`)
    assert.match(failure[2], message)
  }

  test('is for superusers, and off with its plugin', async () => {
    const keeper = await panel.person({ permissions: ['administrative_operations'] })
    assert.equal((await ask('GET', '/status', undefined, keeper)).status, 403)
    await panel.request('POST', '/api/plugins/vpn-gateway/disable', { as: panel.admin })
    assert.equal((await ask('GET', '/status')).error.code, 'plugin_disabled')
    await panel.request('POST', '/api/plugins/vpn-gateway/enable', { as: panel.admin })
  })

  test('shows its state, and the reason why it does not answer', async () => {
    const { data } = await ask('GET', '/status')
    assert.deepEqual(
      [data.installed, data.running, data.answering, data.version, data.server_url],
      [true, true, true, version, 'https://vpn.example.com'],
    )
    assert.deepEqual([data.users, data.nodes, data.online_nodes], [2, 2, 2])
    assert.deepEqual(data.local_node, { state: 'Running', addresses: ['100.64.0.1'] })
    server.isDown = true
    assert.match((await ask('GET', '/status')).data.reason, /ECONNREFUSED/)
    services.set('headscale', { isActive: false, isEnabled: true })
    assert.match((await ask('GET', '/status')).data.reason, /is stopped/)
    gone(programPath)
    assert.equal((await ask('GET', '/status')).data.installed, false)
  })

  test('keeps its ports open in the firewall once it is installed', async () => {
    const { headscale } = panel.tools
    const ports = (await portsOfMesh({ server: headscale })).map(({ port, protocol }) => [port, protocol])
    assert.deepEqual(ports, [
      [3478, 'udp'],
      [41_641, 'udp'],
    ])
    gone(keyPath)
    assert.deepEqual(await portsOfMesh({ server: headscale }), [])
  })

  test('installs what is missing, and joins this host', async () => {
    for (const path of [programPath, keyPath, '/etc/headscale', '/var/lib/hostreeve-tailscale']) gone(path)
    Object.assign(node, { isJoined: false })
    server.users = []
    const { json } = await ask('POST', '/install')
    assert.equal(json.success, true, JSON.stringify(json))
    assert.match(json.message, /https:\/\/vpn\.example\.com/)
    assert.equal(readFileSync(panel.root + programPath, 'utf8'), 'a control server')
    assert.match(readFileSync(panel.root + keyPath, 'utf8'), /hskey-api-own/)
    assert.match(
      readFileSync(panel.root + configurationPath, 'utf8'),
      /server_url: "https:\/\/vpn\.example\.com"/,
    )
    assert.deepEqual([server.users.map(({ name }) => name), node.isJoined], [['admin'], true])
    assert.match(node.keys[0] ?? '', /^file:/)
    const key = readFileSync(panel.root + keyPath, 'utf8')
    assert.equal((await ask('POST', '/install')).json.success, true)
    assert.deepEqual([node.keys.length, readFileSync(panel.root + keyPath, 'utf8')], [1, key])
    server.nodes = []
    assert.equal((await ask('POST', '/install')).json.success, true)
    assert.equal(node.keys.length, 2, 'this host joins again after its node was deleted')
    storeKey('2020-01-01T00:00:00.000Z')
    assert.equal((await ask('POST', '/install')).json.success, true)
    assert.match(readFileSync(panel.root + keyPath, 'utf8'), /hskey-api-own/)
  })

  test('refuses an installation without a domain, a wrong checksum, or over files of others', async () => {
    gone(programPath)
    source.layout = new Map([...meshLayout(), [`v${version}/checksums.txt`, 'nothing\n']])
    await assertFails(['POST', '/install'], [500, 'download_error', /no SHA-256/])
    const file = `headscale_${version}_linux_${architectureHere()}`
    source.layout = new Map([...meshLayout(), [`v${version}/checksums.txt`, `${'1'.repeat(64)}  ${file}\n`]])
    await assertFails(['POST', '/install'], [500, 'download_error', /was published/])
    source.layout = meshLayout()
    place(configurationPath, 'server_url: https://by-hand\n')
    await assertFails(['POST', '/install'], [409, 'conflict', /not of the panel/])
    gone('/etc/headscale')
    const set = (row: { domain: string | null; website_id?: null }) =>
      panel.store.db.updateTable('vpn_gateway').set(row).execute()
    await set({ domain: 'vpn.example.com', website_id: null })
    await assertFails(['POST', '/install'], [400, 'bad_request', /vpn\.example\.com/])
    await set({ domain: 'mesh.example.com' })
    await assertFails(['POST', '/install'], [403, 'license_limit', /./])
    await set({ domain: null })
    await assertFails(['POST', '/install'], [400, 'bad_request', /^domain: /])
  })

  test('says which part of an installation failed', async () => {
    gone(keyPath)
    failing = (argv) => (argv.includes('create') ? { code: 1, stderr: 'no socket' } : undefined)
    await assertFails(['POST', '/install'], [500, 'apikey_error', /no socket/])
    storeKey('2030-01-01T00:00:00.000Z')
    node.isJoined = false
    failing = ([, , verb]) => (verb === 'up' ? { code: 1, stderr: 'no, hskey-auth-abc-def' } : undefined)
    await assertFails(['POST', '/install'], [500, 'install_error', /no, •/])
  })

  test('starts, stops and restarts the control server', async () => {
    assert.equal((await ask('POST', '/service/stop')).status, 200)
    assert.equal(services.get('headscale')?.isActive, false)
    assert.equal((await ask('POST', '/service/start')).status, 200)
    assert.equal(services.get('headscale')?.isActive, true)
    assert.equal((await ask('POST', '/service/restart')).status, 200)
    await assertFails(['POST', '/service/reload'], [400, 'bad_request', /start, stop, restart/])
    failing = ([name, _flag, verb]) =>
      name === 'systemctl' && verb === 'stop' ? { code: 1, stderr: 'it hangs' } : undefined
    await assertFails(['POST', '/service/stop'], [500, 'service_error', /it hangs/])
    failing = () => undefined
    server.isDown = true
    await assertFails(['POST', '/service/restart'], [500, 'start_error', /did not answer/])
    gone(keyPath)
    await assertFails(['POST', '/service/stop'], [400, 'bad_request', /install/])
  })

  test('renews its API key before it ends, and expires the former one', async () => {
    assert.equal((await ask('POST', '/install')).json.success, true)
    const planned = await scheduleNamed(panel.store, 'vpn-gateway.renew-key')
    const renew = () =>
      panel.store.transaction((tx) =>
        panel.store.write(tx, [
          updateRow('schedules', { id: planned?.id ?? 0 }, { next_run: '2026-01-01T00:00:00.000Z' }),
        ]),
      )
    storeKey(new Date(Date.now() + 29 * 86_400_000).toISOString())
    const former = panel.scripted.commands.length
    await renew()
    await until(() => /hskey-api-own/.test(readFileSync(panel.root + keyPath, 'utf8')))
    const expiry = `--prefix=${apiPrefixOf('first')}`
    await until(() => panel.scripted.commands.slice(former).some((argv) => argv.includes(expiry)))
  })

  test('shows and changes the settings', async () => {
    const { data } = await ask('GET', '/settings')
    assert.deepEqual([data.domain, data.subnet, data.magic_dns], ['vpn.example.com', '100.64.0.0/10', true])
    assert.equal((await ask('POST', '/settings', { magic_dns: false, nameservers: ['9.9.9.9'] })).status, 200)
    assert.match(readFileSync(panel.root + configurationPath, 'utf8'), /magic_dns: false[^]*"9\.9\.9\.9"/)
    await assertFails(
      ['POST', '/settings', { domain: 'other.example.com' }],
      [400, 'bad_request', /uninstall/],
    )
    await assertFails(
      ['POST', '/settings', { base_domain: 'example.com' }],
      [400, 'bad_request', /^base_domain/],
    )
    for (const nameservers of [['nine'], ['1.2']])
      await assertFails(['POST', '/settings', { nameservers }], [400, 'bad_request', /nameservers\.0/])
    services.set('headscale', { isActive: false, isEnabled: true })
    await assertFails(['POST', '/settings', { magic_dns: true }], [400, 'bad_request', /start it first/])
  })

  test('refuses networks and addresses that the mesh cannot have', async () => {
    for (const [subnet, why] of [
      ['0.0.0.0/0', /within/],
      ['100.64.0.1/16', /bits after/],
      ['100.64.0.0', /subnet/],
    ] as const)
      await assertFails(['POST', '/settings/subnet', { subnet }], [400, 'bad_request', why])
    for (const [ip, why] of [
      ['100.64.0.1', /another node/],
      ['10.0.0.1', /must be in/],
      ['localhost', /ip/],
    ] as const)
      await assertFails(['PUT', '/nodes/2/ip', { ip }], [400, 'bad_request', why])
    assert.equal((await ask('PUT', '/nodes/9/ip', { ip: '100.64.0.9' })).status, 404)
    assert.equal((await ask('PUT', '/nodes/2/ip', { ip: '100.64.0.2' })).status, 200)
  })

  test('gives a node another address, but none that another node has by now', async () => {
    storeAddresses([1, '100.64.0.1', 'fd7a:115c:a1e0::1'], [2, '100.64.0.2', 'fd7a:115c:a1e0::2'])
    assert.equal((await ask('PUT', '/nodes/2/ip', { ip: '100.64.0.9' })).status, 200)
    assert.deepEqual(storedAddresses(), ['100.64.0.1', '100.64.0.9'])
    storeAddresses([2, '100.64.0.2', 'fd7a:115c:a1e0::2'], [3, '100.64.0.10', 'fd7a:115c:a1e0::3'])
    await assertFails(['PUT', '/nodes/2/ip', { ip: '100.64.0.10' }], [500, 'address_failed', /by now/])
    assert.deepEqual(storedAddresses(), ['100.64.0.2', '100.64.0.10'])
    assert.equal(services.get('headscale')?.isActive, true)
    await assertFails(['PUT', '/nodes/1/ip', { ip: '100.64.0.11' }], [500, 'address_failed', /no node 1/])
  })

  test('moves every node to another network', async () => {
    storeAddresses([1, '100.64.0.1', 'fd7a:115c:a1e0::1'], [2, '100.64.0.2', 'fd7a:115c:a1e0::2'])
    assert.equal((await ask('POST', '/settings/subnet', { subnet: '100.70.0.0/24' })).status, 200)
    assert.deepEqual(storedAddresses(), ['100.70.0.1', '100.70.0.2'])
    assert.match(readFileSync(panel.root + configurationPath, 'utf8'), /v4: "100\.70\.0\.0\/24"/)
    assert.equal((await ask('GET', '/settings')).data.subnet, '100.70.0.0/24')
  })

  test('users are created, listed and deleted', async () => {
    assert.equal((await ask('POST', '/users', { name: 'eve' })).status, 200)
    const { data } = await ask('GET', '/users')
    assert.deepEqual(
      data.map(({ name, nodes }: { name: string; nodes: number }) => [name, nodes]),
      [
        ['ada', 1],
        ['bob', 1],
        ['eve', 0],
      ],
    )
    assert.equal((await ask('DELETE', '/users/eve')).status, 200)
    assert.equal((await ask('DELETE', '/users/eve')).status, 404)
    await assertFails(['POST', '/users', { name: 'bob' }], [400, 'bad_request', /already/])
    for (const name of ['Bad Name!', '-eve', 'e', 'eve@', ''])
      await assertFails(['POST', '/users', { name }], [400, 'bad_request', /^name/])
    await assertFails(['DELETE', '/users/bob'], [400, 'bad_request', /laptop/])
    server.nodes.pop()
    for (const rule of ['"src": ["bob@"], "dst": ["*:*"]', '"src": ["*"], "dst": ["bob@:80"]']) {
      server.policy = `{ "acls": [{ "action": "accept", ${rule} }] }`
      await assertFails(['DELETE', '/users/bob'], [400, 'bad_request', /access rules/])
    }
    server.policy = '{ "groups": { "group:web": ["bobby@", "jim-bob@"] } }'
    assert.equal((await ask('DELETE', '/users/bob')).status, 200)
  })

  test('nodes are listed, expired and deleted', async () => {
    const nobody = { id: '2147455555', name: 'tagged-devices' }
    server.nodes.push(nodeOf(3, 'robot', nobody, { tags: ['tag:robot'] }))
    const { data } = await ask('GET', '/nodes')
    assert.deepEqual(
      data.map(({ name, user, is_local }: Record<string, unknown>) => [name, user, is_local]),
      [
        ['gateway', 'ada', true],
        ['laptop', 'bob', false],
        ['robot', null, false],
      ],
    )
    assert.equal((await ask('POST', '/nodes/2/expire')).status, 200)
    assert.equal((await ask('GET', '/nodes')).data[1].expired, true)
    assert.equal((await ask('DELETE', '/nodes/2')).status, 200)
    assert.equal((await ask('POST', '/nodes/2/expire')).status, 404)
    assert.equal((await ask('DELETE', '/nodes/2')).status, 404)
  })

  test('keys of nodes are shown once', async () => {
    const { status, data } = await ask('POST', '/preauthkeys', {
      user: 'bob',
      reusable: true,
      valid_hours: 2,
    })
    assert.deepEqual(
      [status, String(data.key).endsWith('-whole'), data.server_url],
      [201, true, 'https://vpn.example.com'],
    )
    const [listed] = (await ask('GET', '/preauthkeys')).data
    assert.deepEqual([listed.id, listed.user, listed.reusable, listed.expired], [data.id, 'bob', true, false])
    assert.doesNotMatch(JSON.stringify(listed), /whole/)
    assert.equal((await ask('POST', '/preauthkeys/expire', { id: data.id })).status, 200)
    assert.equal((await ask('GET', '/preauthkeys')).data[0].expired, true)
    assert.equal((await ask('POST', '/preauthkeys/expire', { id: 99 })).status, 404)
    assert.equal((await ask('POST', '/preauthkeys', { user: 'nobody' })).status, 404)
    assert.equal((await ask('POST', '/preauthkeys', { user: 'bob', valid_hours: 0 })).status, 400)
  })

  test('API keys are shown once, and that of the panel is told apart', async () => {
    server.apiKeys.push({ id: '50', prefix: shownPrefixOf('first'), expiration: '2030-01-01T00:00:00Z' })
    const { json } = await ask('POST', '/apikeys')
    assert.match(json.key, /^hskey-api-.*-whole$/)
    const { data } = await ask('GET', '/apikeys')
    assert.deepEqual(
      data.map(({ is_of_panel }: { is_of_panel: boolean }) => is_of_panel),
      [true, false],
    )
  })

  test('routes are enabled and disabled one by one, and those of an exit node together', async () => {
    const ids = (await ask('GET', '/routes')).data.map(({ id }: { id: string }) => id)
    assert.deepEqual(ids, ['2-0.0.0.0-0', '2-10.1.0.0-24', '2-::-0'])
    assert.equal((await ask('POST', '/routes/2-10.1.0.0-24/enable')).status, 200)
    assert.equal((await ask('POST', '/routes/2-0.0.0.0-0/enable')).status, 200)
    assert.deepEqual(server.nodes[1]?.approvedRoutes, ['0.0.0.0/0', '10.1.0.0/24', '::/0'])
    assert.equal((await ask('POST', '/routes/2-::-0/disable')).status, 200)
    assert.deepEqual(server.nodes[1]?.approvedRoutes, ['10.1.0.0/24'])
    assert.equal((await ask('POST', '/routes/2-10.9.0.0-24/enable')).status, 404)
    assert.equal((await ask('POST', '/routes/all/enable')).status, 400)
  })

  test('networks of this host are offered and enabled', async () => {
    assert.equal(
      (await ask('POST', '/advertise-routes', { routes: ['10.7.0.0/16'], exit_node: true })).status,
      200,
    )
    assert.deepEqual(node.routes, ['0.0.0.0/0', '10.7.0.0/16', '::/0'])
    assert.deepEqual(server.nodes[0]?.approvedRoutes, node.routes)
    assert.equal((await ask('POST', '/advertise-routes', { exit_node: false })).status, 200)
    assert.deepEqual([node.routes, server.nodes[0]?.approvedRoutes], [['10.7.0.0/16'], ['10.7.0.0/16']])
    for (const [body, why] of [
      [{ routes: ['10.7.0.1/16'] }, /routes\.0: .*bits/],
      [{ routes: ['0.0.0.0/0'] }, /exit_node/],
      [{}, /routes/],
    ] as const)
      await assertFails(['POST', '/advertise-routes', body], [400, 'bad_request', why])
    failing = ([, , verb]) => (verb === 'set' ? { code: 1, stderr: 'no, hskey-auth-abc-def' } : undefined)
    await assertFails(['POST', '/advertise-routes', { routes: [] }], [500, 'mesh_client_error', /no, •/])
    failing = () => undefined
    node.isJoined = false
    await assertFails(['POST', '/advertise-routes', { routes: [] }], [400, 'bad_request', /no node/])
  })

  test('a policy is rendered with approvers and the internet, and read again', async () => {
    const everything = [{ action: 'accept', src: ['*'], dst: ['*:*'] }]
    assert.deepEqual((await ask('GET', '/acl')).data.acls, everything)
    const rules = [{ action: 'accept', src: ['group:web'], dst: ['bob:80,443'] }]
    assert.equal((await ask('POST', '/acl', { groups: { web: ['ada'] }, acls: rules })).status, 200)
    const { data } = await ask('GET', '/acl')
    assert.deepEqual(data, {
      groups: { 'group:web': ['ada@'] },
      acls: [
        { action: 'accept', src: ['group:web'], dst: ['bob@:80,443'] },
        { action: 'accept', src: ['*'], dst: ['autogroup:internet:*'] },
      ],
      autoApprovers: { routes: { '10.50.0.0/16': ['ada@'] }, exitNode: ['ada@'] },
    })
    assert.equal((await ask('POST', '/acl', data)).status, 200)
    assert.deepEqual((await ask('GET', '/acl')).data, data)
    const answer = (await ask('GET', '/acl/explain?src=ada&address=100.64.0.2&port=443')).data
    assert.deepEqual([answer.allowed, answer.rule, answer.via], [true, 1, 'laptop'])
    assert.equal((await ask('GET', '/acl/explain?src=bob&address=100.64.0.1&port=22')).data.allowed, false)
    assert.equal((await ask('POST', '/acl', {})).status, 200)
    assert.deepEqual((await ask('GET', '/acl')).data.acls, everything)
  })

  test('an explanation recognises nodes by IPv6 addresses in any spelling', async () => {
    server.nodes[0]!.ipAddresses = ['100.64.0.1', 'fd7a:115c:a1e0::1']
    server.nodes[1]!.ipAddresses = ['100.64.0.2', 'fd7a:115c:a1e0::2']
    const asked = 'src=FD7A:115C:A1E0::1&address=FD7A:115C:A1E0:0::2&port=443'
    const { via, reason } = (await ask('GET', `/acl/explain?${asked}`)).data
    assert.deepEqual([via, reason], ['laptop', 'There are no rules: everything is allowed'])
  })

  test('a policy with what the mesh does not have is refused', async () => {
    const rule = { action: 'accept', src: ['*'], dst: ['*:*'] }
    for (const [body, why] of [
      [{ groups: { web: ['nobody'] } }, /groups\.web\.0: the mesh has no user nobody/],
      [{ acls: [{ ...rule, action: 'deny' }] }, /acls\.0\.action: must be accept/],
      [{ acls: [{ ...rule, src: ['group:none'] }] }, /acls\.0\.src\.0/],
      [{ acls: [{ ...rule, src: ['tag:none'] }] }, /owners/],
      [{ acls: [{ ...rule, dst: ['bob'] }] }, /ports/],
      [{ acls: [{ ...rule, dst: ['bob:99999'] }] }, /ports/],
      [{ acls: [{ ...rule, dst: ['10.0.0.1/8:*'] }] }, /bits/],
      [{ acls: [rule], groups: { 'refuse-me': [] } }, /it was refused/],
    ] as const)
      await assertFails(['POST', '/acl', body], [400, 'bad_request', why])
    const long = Array.from({ length: 500 }, () => ({ ...rule, src: Array(100).fill('autogroup:member') }))
    await assertFails(['POST', '/acl', { acls: long }], [500, 'marshal_error', /characters/])
    server.policy = JSON.stringify({ acls: [rule] })
    server.refusal = 'the database is locked'
    await assertFails(['POST', '/acl', {}], [500, 'write_error', /database is locked/])
    server.refusal = undefined
    server.policy = '// by hand\n{}'
    await assertFails(['GET', '/acl'], [500, 'parse_error', /plain JSON/])
    await assertFails(
      ['GET', '/acl/explain?src=nobody&address=100.64.0.1&port=1'],
      [500, 'parse_error', /JSON/],
    )
    server.policy = undefined
    assert.equal((await ask('GET', '/acl/explain?src=nobody&address=100.64.0.1&port=1')).status, 404)
    await assertFails(['GET', '/acl/explain?src=ada&address=1.2&port=1'], [400, 'bad_request', /^address/])
  })

  test('without a key or an answer of the control server, each call says so', async () => {
    const calls = [
      ['GET', '/users'],
      ['GET', '/nodes'],
      ['GET', '/preauthkeys'],
      ['GET', '/apikeys'],
      ['GET', '/routes'],
      ['GET', '/acl'],
      ['POST', '/apikeys'],
      ['POST', '/users', { name: 'eve' }],
      ['DELETE', '/users/bob'],
      ['POST', '/nodes/1/expire'],
      ['POST', '/preauthkeys/expire', { id: 1 }],
      ['POST', '/routes/1-10.1.0.0-24/enable'],
    ] as const
    server.isLocked = true
    for (const call of calls) await assertFails(call, [500, 'config_error', /no API key/])
    Object.assign(server, { isLocked: false, isDown: true })
    for (const call of calls) await assertFails(call, [500, 'api_error', /ECONNREFUSED/])
    Object.assign(server, { isDown: false, refusal: 'database is locked' })
    await assertFails(['POST', '/users', { name: 'eve' }], [500, 'api_error', /database is locked/])
  })

  test('leaves a control server alone that others installed', async () => {
    place(configurationPath, 'server_url: https://by-hand\n')
    await assertFails(['POST', '/uninstall'], [409, 'conflict', /config\.yaml is not of the panel/])
    gone('/etc/headscale')
    await assertFails(['POST', '/uninstall'], [409, 'conflict', /bin\/headscale is not of the panel/])
    assert.ok(existsSync(panel.root + programPath))
    assert.equal(services.get('headscale')?.isActive, true)
  })

  test('removes both programs with their data', async () => {
    await panel.store.db.updateTable('vpn_gateway').set({ website_id: null }).execute()
    storeAddresses()
    const { json } = await ask('POST', '/uninstall')
    assert.equal(json.success, true, JSON.stringify(json))
    for (const path of [programPath, keyPath, '/etc/headscale', '/var/lib/headscale'])
      assert.ok(!existsSync(panel.root + path), path)
    assert.ok(!existsSync(`${panel.root}/var/lib/hostreeve-tailscale`))
    assert.deepEqual(
      ['headscale', clientService].map((name) => services.get(name)?.isActive),
      [false, false],
    )
    assert.equal((await ask('GET', '/settings')).data.domain, 'vpn.example.com')
    assert.equal((await ask('GET', '/status')).data.installed, false)
  })
})
