import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { scriptPackages, scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptCharon, type StandInCharon, standInCharon } from '../../tools/strongswan/testing/stand-in.ts'
import { portsOfTunnels } from './ports.ts'
import { remoteSubnets } from './status.ts'
import { ipsecQueries } from './store.ts'

const networks = { local_subnet: '10.1.0.0/16', remote_subnet: '10.2.0.0/16' }
const office = { name: 'office', remote_ip: '192.0.2.2', shared_secret: 'a-secret-of-both', ...networks }
const forwarding = '/etc/sysctl.d/90-hostreeve-ipsec.conf'

describe('IPsec tunnels', () => {
  let panel: TestPanel
  let charon: StandInCharon
  /** The beginning of a command that fails, and what it prints. */
  let failing: readonly [string, string] | undefined
  const installed = new Map<string, string>()
  const services = new Map([['strongswan', { isActive: false, isEnabled: false }]])
  before(async () => {
    charon = standInCharon()
    panel = await openTestPanel({
      scripts: [
        (argv) =>
          failing !== undefined && argv.join(' ').startsWith(failing[0])
            ? { code: 1, stderr: failing[1] }
            : undefined,
        (argv, options) => scriptCharon(charon, () => panel.root)(argv, options),
        scriptPackages(installed),
        scriptSystemd(services),
      ],
    })
  })
  after(() => panel.close())
  beforeEach(async () => {
    installed.set('charon-systemd', '5.9.8-5+deb12u1')
    for (const { id } of await list()) await ask('DELETE', `/${id}`)
    Object.assign(charon, standInCharon())
    Object.assign(services.get('strongswan')!, { isActive: false, isEnabled: false })
  })

  const ask = (method: string, path: string, body?: unknown) =>
    panel.request(method, `/api/vpn-gateway/ipsec${path}`, {
      as: panel.admin,
      ...(body !== undefined && { body }),
    })
  const list = async () => (await ask('GET', '/')).data
  const add = async (draft: object = office) => {
    const { status, data, text } = await ask('POST', '/', draft)
    assert.equal(status, 201, text)
    return data
  }
  const pathOf = (id: number) => `${panel.root}/etc/swanctl/conf.d/hostreeve-${id}.conf`
  const refused = async (draft: object, { path = '/', method = 'POST', status = 400 } = {}) => {
    const answer = await ask(method, path, draft)
    assert.equal(answer.status, status, answer.text)
    return answer.error.message as string
  }
  const deps = () => ({ queries: ipsecQueries(panel.store) })

  test('creates a tunnel with the defaults, and shows its secret once', async () => {
    const { shared_secret, ...tunnel } = await add({ name: 'plain', remote_ip: '192.0.2.2' })
    assert.match(shared_secret, /^[\w-]{43}$/)
    assert.equal(tunnel.local_ip, '192.0.2.1')
    assert.equal(tunnel.local_subnet, '0.0.0.0/0')
    assert.deepEqual([tunnel.ike_version, tunnel.ike_lifetime, tunnel.enabled], [1, '24h', true])
    const text = readFileSync(pathOf(tunnel.id), 'utf8')
    assert.match(text, /remote_ts = dynamic/)
    assert.match(text, new RegExp(`secret = 0s${Buffer.from(shared_secret).toString('base64')}`))
    assert.equal(statSync(pathOf(tunnel.id)).mode & 0o777, 0o600)
    assert.deepEqual(services.get('strongswan'), { isActive: true, isEnabled: true })
    assert.equal(charon.forwards, '1')
    const [listed] = await list()
    assert.match(listed.shared_secret, /•/)
    const [revealed] = (await ask('GET', '/?reveal=1')).data
    assert.equal(revealed.shared_secret, shared_secret)
    assert.ok(panel.scripted.commands.every((argv) => !argv.join(' ').includes(shared_secret)))
  })

  test('takes 0.0.0.0/0 for all of this side, and never as a route to the other one', async () => {
    const branch = { ...office, local_subnet: '0.0.0.0/0' }
    const { id } = await add(branch)
    assert.match(
      readFileSync(pathOf(id), 'utf8'),
      /local_ts = 0\.0\.0\.0\/0\n +remote_ts = 10\.2\.0\.0\/16\n/,
    )
    const all = { ...office, name: 'all', remote_ip: '192.0.2.3', remote_subnet: '0.0.0.0/0' }
    assert.match(await refused(all), /^remote_subnet: must be the network of the other side: .* cut off/)
    const edit = { path: `/${id}`, method: 'PUT' }
    const both = { local_subnet: '10.1.0.0/16', remote_subnet: '0.0.0.0/0' }
    assert.match(await refused(both, edit), /^remote_subnet/)
    const host = { ...all, remote_ip: '198.51.100.9', remote_subnet: '198.51.100.9/32' }
    assert.match(readFileSync(pathOf((await add(host)).id), 'utf8'), /remote_ts = 198\.51\.100\.9\/32\n/)
  })

  test('lists whether packets pass, and why not', async () => {
    const { id } = await add()
    assert.deepEqual(
      (await list()).map((each: any) => [each.status, each.reason]),
      [['down', '']],
    )
    charon.journal.push({
      MESSAGE: 'received NO_PROPOSAL_CHOSEN notify error',
      IKE_SA_UNIQUE_ID: '1',
      IKE_SA_NAME: `hostreeve-${id}`,
      _PID: '9',
    })
    assert.match((await list())[0].reason, /no proposal in common/)
    charon.up.add(`hostreeve-${id}`)
    const [up] = await list()
    assert.deepEqual([up.status, up.reason, up.received_bytes, up.sent_bytes], ['up', '', 84, 168])
    const status = (await ask('GET', '/status')).data
    assert.deepEqual([status.installed, status.running, status.tunnels, status.up], [true, true, 1, 1])
    assert.equal(status.version, '5.9.8')
    services.get('strongswan')!.isActive = false
    assert.equal((await list())[0].status, 'stopped')
  })

  test('changes the given fields of a tunnel, and keeps a secret that comes back masked', async () => {
    const { id } = await add()
    const [{ shared_secret: masked }] = await list()
    const { status, data } = await ask('PUT', `/${id}`, { ike_version: 2, shared_secret: masked })
    assert.deepEqual([status, data.ike_version, data.remote_subnet], [200, 2, '10.2.0.0/16'])
    const encoded = Buffer.from(office.shared_secret).toString('base64')
    assert.ok(readFileSync(pathOf(id), 'utf8').includes(`secret = 0s${encoded}`))
    await ask('PUT', `/${id}`, { shared_secret: 'quite-"another"-one' })
    assert.ok(!readFileSync(pathOf(id), 'utf8').includes(encoded))
    assert.match(charon.loaded.get(`hostreeve-${id}`) ?? '', /version = 2/)
  })

  test('leaves nothing of a tunnel that is disabled or removed', async () => {
    const { id } = await add()
    assert.deepEqual((await ask('POST', `/${id}/toggle`)).data, { id, enabled: false })
    assert.equal(existsSync(pathOf(id)), false)
    assert.equal(existsSync(panel.root + forwarding), false)
    assert.deepEqual([charon.forwards, charon.loaded.size], ['0', 0])
    assert.equal((await list())[0].status, 'disabled')
    assert.deepEqual((await ask('POST', `/${id}/toggle`)).data, { id, enabled: true })
    assert.ok(existsSync(pathOf(id)))
    const other = await add({
      ...office,
      name: 'other',
      remote_ip: '192.0.2.3',
      remote_subnet: '10.3.0.0/16',
    })
    assert.equal((await ask('DELETE', `/${id}`)).status, 200)
    assert.deepEqual([...charon.loaded.keys()], [`hostreeve-${other.id}`])
    assert.equal(charon.forwards, '1')
    await ask('DELETE', `/${other.id}`)
    assert.deepEqual([charon.forwards, charon.loaded.size], ['0', 0])
  })

  test('restarts a tunnel, or tells why the other gateway does not agree', async () => {
    const { id } = await add()
    const failed = await ask('POST', `/${id}/restart`)
    assert.deepEqual([failed.status, failed.error.code], [502, 'negotiation_failed'])
    assert.match(failed.error.message, /secret, or the identity/)
    assert.ok(existsSync(pathOf(id)))
    charon.failure = ''
    assert.equal((await ask('POST', `/${id}/restart`)).status, 200)
    assert.equal((await list())[0].status, 'up')
    await ask('POST', `/${id}/toggle`)
    const disabled = await ask('POST', `/${id}/restart`)
    assert.deepEqual([disabled.status, disabled.error.code], [409, 'conflict'])
  })

  test('undoes a tunnel that strongSwan does not take', async () => {
    charon.refusal = "loading connection 'hostreeve-1' failed: invalid value"
    services.get('strongswan')!.isActive = true
    const { status, error } = await ask('POST', '/', office)
    charon.refusal = undefined
    assert.deepEqual([status, error.code], [500, 'config_rejected'])
    assert.match(error.message, /invalid value/)
    assert.deepEqual(await list(), [])
    assert.equal(charon.forwards, '0')
  })

  test('undoes a tunnel where the kernel does not forward, or strongSwan does not start', async () => {
    failing = ['sysctl -w net.ipv4.ip_forward=1', 'sysctl: permission denied']
    const kernel = await ask('POST', '/', office)
    assert.deepEqual([kernel.status, kernel.error.code], [500, 'forwarding_failed'])
    failing = ['systemctl --no-ask-password start', 'Job for strongswan.service failed']
    const service = await ask('POST', '/', office)
    failing = undefined
    assert.deepEqual([service.status, service.error.code], [500, 'service_failed'])
    assert.match(service.error.message, /Job for strongswan/)
    assert.deepEqual([await list(), charon.forwards], [[], '0'])
    assert.equal(existsSync(panel.root + forwarding), false)
  })

  test('refuses networks that this host or another tunnel has', async () => {
    await add()
    const own = { ...office, name: 'second', remote_ip: '192.0.2.3' }
    const about = (remote_subnet: string, set: object = {}) => refused({ ...own, ...set, remote_subnet })
    assert.match(await about('10.0.0.0/8', { local_subnet: '0.0.0.0/0' }), /overlaps 10\.1\.0\.1\/16 of eth1/)
    assert.match(await about('192.0.2.0/25'), /overlaps 192\.0\.2\.1\/24/)
    assert.match(await about('10.1.4.0/24'), /overlaps local_subnet/)
    assert.match(await about('198.51.100.0/24', { remote_ip: '198.51.100.9' }), /its own tunnel/)
    assert.match(await refused(own, { status: 409 }), /overlaps 10\.2\.0\.0\/16 of the tunnel office/)
    const taken = { ...own, name: 'office', remote_subnet: '10.9.0.0/16' }
    assert.match(await refused(taken, { status: 409 }), /^name: there is a tunnel office/)
    assert.match(await refused({ ...own, remote_ip: '192.0.2.1' }), /^remote_ip/)
    const again = { ...own, remote_ip: office.remote_ip, remote_subnet: '10.9.0.0/16' }
    assert.match(await refused(again, { status: 409 }), /^remote_ip: the tunnel office goes to/)
    assert.equal((await ask('POST', '/', { ...again, remote_id: 'behind.example.com' })).status, 201)
  })

  test('recognises an IPv6 gateway in any spelling', async () => {
    const six = { local_ip: '2001:db8:0::1', remote_ip: '2001:DB8::2' }
    const { id, local_ip, remote_ip } = await add({ ...office, ...six })
    assert.deepEqual([local_ip, remote_ip], ['2001:db8::1', '2001:db8::2'])
    const twin = { ...office, ...six, name: 'twin', remote_ip: '2001:db8:0:0::2' }
    assert.match(
      await refused({ ...twin, remote_subnet: '10.9.0.0/16' }, { status: 409 }),
      /^remote_ip: the tunnel office goes to/,
    )
    assert.match(await refused({ ...twin, remote_ip: '2001:DB8::1' }), /^remote_ip: must be .* the other/)
    const { data } = await ask('PUT', `/${id}`, { remote_ip: '2001:DB8::00ff' })
    assert.equal(data.remote_ip, '2001:db8::ff')
    assert.match(readFileSync(pathOf(id), 'utf8'), /remote_addrs = 2001:db8::ff$/m)
  })

  test('refuses values that strongSwan does not have, and names the field', async () => {
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ remote_ip: 'gateway' }, /^remote_ip: gateway is not an IP address/],
      [{ remote_ip: '127.0.0.1' }, /^remote_ip/],
      [{ remote_ip: '192.0.2.2; reboot' }, /^remote_ip/],
      [{ local_ip: '192.0.2.0/24' }, /^local_ip/],
      [{ remote_subnet: '10.2.0.1/16' }, /^remote_subnet: .* bits after its prefix/],
      [{ remote_subnet: '10.2.0.0' }, /^remote_subnet/],
      [{ remote_subnet: '2001:db8::/32' }, /^remote_subnet/],
      [{ remote_subnet: '0.0.0.0/1' }, /^remote_subnet: .* too large/],
      [{ local_subnet: '224.0.0.0/8' }, /^local_subnet/],
      [{ ike_lifetime: '0h' }, /^ike_lifetime/],
      [{ ike_lifetime: '24' }, /^ike_lifetime/],
      [{ ike_lifetime: '9999999d' }, /^ike_lifetime: must be from 5m to 7d/],
      [{ key_lifetime: '8h' }, /^key_lifetime: must be shorter/],
      [{ dpd_timeout: '30s' }, /^dpd_timeout/],
      [{ ike_version: 3 }, /^ike_version/],
      [{ phase1_proposals: [] }, /^phase1_proposals/],
      [{ phase1_proposals: [{ enc: 'rot13', auth: 'sha256' }] }, /^phase1_proposals/],
      [{ phase2_proposals: [{ enc: 'aes256', auth: 'crc32' }] }, /^phase2_proposals/],
      [{ phase1_proposals: [{ enc: 'aes256gcm16', auth: 'sha256' }] }, /^phase1_proposals: .* ike_version 2/],
      [{ phase2_proposals: [{ enc: 'chacha20poly1305', auth: 'sha256' }] }, /^phase2_proposals: .* 2/],
      [{ dh_group: 'modp768' }, /^dh_group/],
      [{ remote_ip: '::ffff:192.0.2.2' }, /^remote_ip/],
      [{ shared_secret: 'short' }, /^shared_secret/],
      [{ shared_secret: 'two\nlines-of-it' }, /^shared_secret/],
      [{ shared_secret: 'abcd••••••••wxyz' }, /^shared_secret/],
      [{ remote_id: '%any' }, /^remote_id/],
      [{ remote_id: '*.example.com' }, /^remote_id/],
      [{ remote_id: '0.0.0.0' }, /^remote_id: 0\.0\.0\.0 stands for several gateways/],
      [{ remote_id: '::' }, /^remote_id/],
      [{ remote_id: '10.0.0.0/8' }, /^remote_id/],
      [{ remote_id: '10.0.0.1-10.0.0.9' }, /^remote_id/],
      [{ remote_id: 'IPv4net:10.0.0.0/8' }, /^remote_id/],
      [{ name: '' }, /^name/],
      [{ name: 'a\nb' }, /^name/],
    ]
    for (const [set, message] of wrong) assert.match(await refused({ ...office, ...set }), message)
    assert.deepEqual(await list(), [])
    const { id } = await add({ ...office, name: '"} connections { x', shared_secret: `'"}{#$\`;--` })
    assert.doesNotMatch(readFileSync(pathOf(id), 'utf8'), /connections \{ x/)
    assert.match(await refused({ ike_lifetime: '0s' }, { path: `/${id}`, method: 'PUT' }), /^ike_lifetime/)
  })

  test('opens the ports of IKE to the gateways of enabled tunnels alone', async () => {
    const { id } = await add()
    const ports = await portsOfTunnels(deps())
    assert.deepEqual(
      ports.map(({ port, protocol, sources }) => [port, protocol, sources]),
      [
        [500, 'udp', ['192.0.2.2']],
        [4500, 'udp', ['192.0.2.2']],
      ],
    )
    assert.deepEqual(await remoteSubnets(deps()), ['10.2.0.0/16'])
    await ask('POST', `/${id}/toggle`)
    assert.deepEqual(await portsOfTunnels(deps()), [])
    assert.deepEqual(await remoteSubnets(deps()), [])
  })

  test('makes secrets, and tells the address of this host', async () => {
    const secrets = await Promise.all(
      [1, 2].map(async () => (await ask('GET', '/generate-secret')).data.secret),
    )
    assert.notEqual(secrets[0], secrets[1])
    assert.match(secrets[0], /^[\w-]{43}$/)
    assert.deepEqual((await ask('GET', '/local-ip')).data, { local_ip: '192.0.2.1' })
    charon.source = undefined
    const { status, error } = await ask('GET', '/local-ip')
    assert.deepEqual([status, error.code], [409, 'no_address'])
    assert.match(await refused(office), /^remote_ip: this host has no route/)
    assert.match(await refused({ ...office, remote_ip: 'abc' }), /^remote_ip: abc is not an IP address/)
  })

  test('says that strongSwan is missing, and removes tunnels without it', async () => {
    const { id } = await add()
    installed.delete('charon-systemd')
    const { installed: isInstalled, reason } = (await ask('GET', '/status')).data
    assert.deepEqual([isInstalled, reason], [false, 'strongSwan is not installed'])
    assert.equal((await ask('POST', '/', { name: 'x', remote_ip: '192.0.2.3' })).error.code, 'unavailable')
    assert.equal((await ask('DELETE', `/${id}`)).status, 200)
    assert.equal(existsSync(pathOf(id)), false)
    assert.equal((await ask('POST', '/install')).status, 202)
  })

  test('answers db_error where the store fails', async () => {
    const broken = await openTestPanel()
    try {
      await broken.store.db.schema.dropTable('ipsec_tunnels').execute()
      const { status, error } = await broken.request('GET', '/api/vpn-gateway/ipsec', { as: broken.admin })
      assert.deepEqual([status, error.code], [500, 'db_error'])
    } finally {
      await broken.close()
    }
  })

  test('answers 404 (not_found) for a tunnel that is not there', async () => {
    for (const [method, path] of [
      ['PUT', '/999'],
      ['DELETE', '/999'],
      ['POST', '/999/toggle'],
      ['POST', '/999/restart'],
    ] as const)
      assert.equal((await ask(method, path, method === 'PUT' ? {} : undefined)).status, 404)
  })

  test('is for superusers alone', async () => {
    const person = await panel.person({ permissions: ['administrative_operations'] })
    for (const [method, path] of [
      ['GET', '/'],
      ['POST', '/'],
      ['GET', '/status'],
      ['GET', '/local-ip'],
      ['GET', '/generate-secret'],
      ['POST', '/install'],
      ['PUT', '/1'],
      ['DELETE', '/1'],
      ['POST', '/1/toggle'],
      ['POST', '/1/restart'],
    ] as const) {
      const url = `/api/vpn-gateway/ipsec${path}`
      assert.equal((await panel.request(method, url, { as: person })).status, 403)
      assert.equal((await panel.request(method, url)).status, 401)
    }
  })
})
