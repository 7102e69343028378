import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import { placeFirewalld, scriptFirewalld, standInFirewalld } from '../../tools/firewalld/testing/stand-in.ts'
import { placeUfw, scriptUfw } from '../../tools/ufw/testing/stand-in.ts'
import { scriptNft, type StandInKernel, standInKernel } from '../../tools/nftables/testing/stand-in.ts'

describe('the firewall', () => {
  let panel: TestPanel
  let operator: Person
  const kernel: StandInKernel = standInKernel()
  const firewalld = { ...standInFirewalld(), isActive: false }
  let policy: string | undefined
  before(async () => {
    panel = await openTestPanel({
      scripts: [scriptFirewalld(firewalld, () => policy), scriptNft(kernel), scriptUfw],
      programs: ['systemd-run'],
      environment: { HOSTREEVE_FIREWALL_CONFIRM_SECONDS: '60' },
    })
    await panel.start()
    operator = await panel.person({ permissions: ['administrative_operations'] })
  })
  after(() => panel.close())
  beforeEach(() => void (kernel.foreign = ''))
  const ask = (method: string, path: string, body?: unknown, as: Person = panel.admin) =>
    panel.request(method, `/api/firewall${path}`, { as, ...(body !== undefined && { body }) })
  const allow = (rest: object) => ask('POST', '/rules', { action: 'allow', protocol: 'tcp', ...rest })

  it('is for superusers', async () => {
    for (const [method, path, body] of [
      ['GET', '/status'],
      ['GET', '/rules'],
      ['POST', '/rules', { action: 'deny', protocol: 'any' }],
      ['DELETE', '/rules/1'],
      ['POST', '/enable'],
      ['POST', '/disable'],
      ['POST', '/changes/1/confirm'],
      ['POST', '/changes/1/cancel'],
      ['GET', '/bans'],
      ['POST', '/bans', { address: '192.0.2.7' }],
      ['DELETE', '/bans/192.0.2.7'],
      ['GET', '/settings'],
    ] as const)
      assert.equal((await ask(method, path, body, operator)).status, 403, path)
  })

  it('stores rules in their order while it is off', async () => {
    for (const port of ['80', '443', '8000-8100']) assert.equal((await allow({ ports: [port] })).status, 201)
    const first = await allow({ ports: ['22'], position: 1, comment: 'SSH' })
    await allow({ ports: ['23'], position: 2 })
    const { data } = await ask('GET', '/rules')
    assert.deepEqual(
      data.map(({ position, ports }: any) => [position, ports[0]]),
      [
        [1, '22'],
        [2, '23'],
        [3, '80'],
        [4, '443'],
        [5, '8000-8100'],
      ],
    )
    assert.deepEqual((await ask('DELETE', `/rules/${first.data.id}`)).data, {
      change_id: null,
      confirm_before: null,
    })
    assert.equal((await ask('DELETE', `/rules/${first.data.id}`)).status, 404)
    assert.equal(kernel.tables.size, 0)
  })

  it('finds a place between two rules however often one is put there', async () => {
    for (let count = 0; count < 25; count += 1) await allow({ ports: [String(1000 + count)], position: 2 })
    const { data } = await ask('GET', '/rules')
    assert.deepEqual(
      data.slice(1, 26).map(({ ports }: any) => Number(ports[0])),
      Array.from({ length: 25 }, (_, index) => 1024 - index),
    )
    for (const { id } of data) await ask('DELETE', `/rules/${id}`)
  })

  it('stores and renders IPv4-mapped addresses as IPv4: a rule for the mapped form matches no packet', async () => {
    const sources = ['::ffff:192.0.2.9', '::FFFF:c633:6400/120', '2001:db8::/32']
    const { data } = await allow({ ports: ['2200'], sources })
    const [rule] = (await ask('GET', '/rules')).data
    assert.deepEqual(rule.sources, ['192.0.2.9', '198.51.100.0/24', '2001:db8::/32'])
    assert.match(
      (await ask('POST', '/enable?plan=1')).text,
      /ip saddr \{ 192\.0\.2\.9, 198\.51\.100\.0\/24 \} tcp dport \{ 2200 \}/,
    )
    const wrong = await allow({ sources: ['::ffff:192.0.2.9'], family: 'ipv6' })
    assert.match(wrong.error.message, /sources\.0.*family/)
    await ask('DELETE', `/rules/${data.id}`)
  })

  it('refuses what is no rule, with the field', async () => {
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ ports: ['0'] }, /ports/],
      [{ ports: ['65536'] }, /ports/],
      [{ ports: ['22-'] }, /ports/],
      [{ ports: ['30-20'] }, /ports\.0.*ends before/],
      [{ protocol: 'icmp', ports: ['22'] }, /ports/],
      [{ sources: ['192.0.2.1/24'] }, /sources\.0.*after its prefix/],
      [{ sources: ['192.0.2.0/33'] }, /sources\.0/],
      [{ sources: ['2001:db8::/32'], family: 'ipv4' }, /sources\.0.*family/],
      [{ action: 'limit' }, /rate/],
      [{ rate: '10/minute' }, /rate/],
      [{ position: 7 }, /position/],
      [{ comment: 'a\nb' }, /comment/],
    ]
    for (const [draft, message] of wrong) {
      const answer = await allow(draft)
      assert.equal(answer.status, 400, JSON.stringify(draft))
      assert.match(answer.error.message, message)
    }
  })

  it('is not enabled beside another firewall', async () => {
    kernel.foreign = 'table inet firewalld {\n\tchain filter_INPUT {\n\t\taccept\n\t}\n}\n'
    const { status, error } = await ask('POST', '/enable')
    assert.deepEqual([status, error.code], [409, 'conflict'])
    assert.match(error.message, /firewalld/)
    assert.equal((await ask('GET', '/status')).data.other, 'firewalld')
  })

  it('is enabled before the rules of ufw, which accepts what it admits until it is disabled', async () => {
    kernel.foreign = 'table ip filter {\n\tchain ufw-before-input {\n\t\taccept\n\t}\n}\n'
    placeUfw(panel.root)
    const enabled = await ask('POST', '/enable')
    assert.equal(enabled.status, 200, enabled.text)
    const table = kernel.tables.get('hostreeve') ?? ''
    assert.match(table, /priority filter - 5; policy accept/)
    assert.match(
      table,
      /tcp dport \{ \d+ \} counter meta mark set meta mark or 0x10000000 accept comment "panel"/,
    )
    assert.doesNotMatch(
      table,
      /dport \{[^}]*\b22\b[^}]*\} counter meta mark.* "opened tcp"/,
      'ufw decides about sshd',
    )
    await ask('POST', `/changes/${enabled.data.change_id}/cancel`)
    await panel.store.db.updateTable('firewall_settings').set({ is_enabled: 1, driver: 'ufw' }).execute()
    await allow({ ports: ['8443'] })
    const before = () => panel.host.files.read('/etc/ufw/before.rules')
    await until(async () => (await before())?.includes('0x10000000/0x10000000'))
    const { driver, enabled: isEnabled, opened } = (await ask('GET', '/status')).data
    assert.deepEqual(
      [driver, isEnabled, opened.map(({ name }: any) => name).includes('SSH')],
      ['ufw', true, false],
    )
    kernel.foreign = ''
    assert.equal((await ask('GET', '/status')).data.other, null, 'ufw was disabled meanwhile')
    assert.equal((await ask('POST', '/disable')).status, 200)
    await until(async () => !(await before())?.includes('0x10000000'))
    await panel.store.db.updateTable('firewall_settings').set({ driver: 'nftables' }).execute()
  })

  it('is enabled before the rules of firewalld, unless a reload would lose some of them', async () => {
    kernel.foreign = 'table inet firewalld {\n\tchain filter_INPUT {\n\t\taccept\n\t}\n}\n'
    placeFirewalld(panel.root)
    Object.assign(firewalld, { isActive: true, runtimeRule: '99/tcp' })
    const { foreign } = kernel
    kernel.foreign = ''
    assert.match((await ask('POST', '/enable')).error.message, /FirewallBackend=nftables/)
    kernel.foreign = foreign
    const refused = await ask('POST', '/enable')
    assert.equal(refused.status, 409)
    assert.match(refused.error.message, /not permanent/)
    Object.assign(firewalld, { runtimeRule: '', refusal: 'Error: DBUS_ERROR' })
    const failed = await ask('POST', '/enable')
    assert.deepEqual([failed.status, failed.error.code], [500, 'firewall_refused'])
    assert.match(failed.error.message, /DBUS_ERROR/)
    firewalld.refusal = ''
    const enabled = await ask('POST', '/enable')
    assert.equal(enabled.status, 200, enabled.text)
    const table = kernel.tables.get('hostreeve') ?? ''
    assert.match(table, /priority filter - 5; policy accept/)
    assert.match(table, /tcp dport \{ \d+ \} counter meta mark set 0x10000000 accept comment "panel"/)
    await ask('POST', `/changes/${enabled.data.change_id}/cancel`)
    await panel.store.db
      .updateTable('firewall_settings')
      .set({ is_enabled: 1, driver: 'firewalld' })
      .execute()
    policy = 'ipset="hostreeve" ipset="hostreeve6"'
    await allow({ ports: ['8444'] })
    await until(async () => firewalld.hasElements6)
    assert.deepEqual([firewalld.reloads, firewalld.loaded?.length], [1, 2])
    firewalld.hasElements6 = false
    await until(async () => firewalld.hasElements6)
    const { driver, opened } = (await ask('GET', '/status')).data
    assert.deepEqual([driver, opened.map(({ name }: any) => name).includes('SSH')], ['firewalld', false])
    policy = undefined
    assert.equal((await ask('POST', '/disable')).status, 200)
    await until(async () => firewalld.loaded === undefined)
    await panel.store.db.updateTable('firewall_settings').set({ driver: 'nftables' }).execute()
    firewalld.isActive = false
  })

  it('is enabled until the deadline, and refuses other changes meanwhile', async () => {
    const enabled = await ask('POST', '/enable')
    assert.equal(enabled.status, 200, enabled.text)
    const { change_id: change } = enabled.data
    assert.match(kernel.tables.get('hostreeve') ?? '', /policy drop/)
    const { data } = await ask('GET', '/status')
    assert.deepEqual([data.enabled, data.pending.change_id], [false, change])
    assert.equal(await panel.host.files.read('/etc/hostreeve/firewall.nft'), undefined)
    const other = await allow({ ports: ['80'] })
    assert.deepEqual([other.status, other.error.code], [409, 'conflict'])
    assert.equal((await ask('POST', `/changes/${change}/confirm`)).status, 409, 'a connection of unknown age')
    const local = { as: panel.admin, ip: '127.0.0.1' }
    const unproven = await panel.request('POST', `/api/firewall/changes/${change}/confirm`, local)
    assert.deepEqual([unproven.status, unproven.error.code], [409, 'connection_unproven'])
    assert.equal((await ask('POST', `/changes/${change}/cancel`)).status, 200)
    assert.equal(kernel.tables.has('hostreeve'), false)
  })

  it('tells what nftables refuses', async () => {
    kernel.refusal = 'Error: Could not process rule: Operation not supported'
    const { status, error } = await ask('POST', '/enable')
    assert.deepEqual([status, error.code], [500, 'firewall_refused'])
    assert.match(error.message, /not supported/)
    kernel.refusal = ''
  })

  it('loads an allowing rule at once where it is on, and keeps it for the next start', async () => {
    await panel.store.db.updateTable('firewall_settings').set({ is_enabled: 1 }).execute()
    const { status, data } = await allow({ ports: ['8080'], comment: 'Shop' })
    assert.deepEqual([status, data.change_id], [201, null])
    assert.match(kernel.tables.get('hostreeve') ?? '', /tcp dport \{ 8080 \}/)
    const kept = () => panel.host.files.read('/etc/hostreeve/firewall.nft')
    await until(async () => (await kept())?.includes('8080'))
    const [rule] = (await ask('GET', '/rules')).data
    assert.deepEqual([rule.packets, rule.bytes], [3, 180])
    assert.equal((await ask('POST', '/enable')).status, 409)
    const denied = await ask('POST', '/rules', { action: 'deny', protocol: 'any', sources: ['192.0.2.0/24'] })
    assert.equal(typeof denied.data.change_id, 'number')
    await ask('POST', `/changes/${denied.data.change_id}/cancel`)
    const deleted = await ask('DELETE', `/rules/${rule.id}`)
    assert.equal(typeof deleted.data.change_id, 'number')
    await ask('POST', `/changes/${deleted.data.change_id}/cancel`)
    assert.match(kernel.tables.get('hostreeve') ?? '', /tcp dport \{ 8080 \}/)
    assert.equal((await ask('POST', '/disable')).status, 200)
    assert.equal(kernel.tables.has('hostreeve'), false)
    await until(async () => (await kept()) === undefined)
    assert.equal((await ask('POST', '/disable')).status, 409)
  })

  it('bans and releases addresses, but not one’s own', async () => {
    const banned = await ask('POST', '/bans', { address: '192.0.2.7', duration_seconds: 60, reason: 'Noise' })
    assert.equal(banned.status, 201, banned.text)
    assert.equal(kernel.elements.get('192.0.2.7'), ' timeout 60s')
    await ask('POST', '/bans', { address: '2001:db8::7' })
    assert.deepEqual((await ask('GET', '/bans')).data.map(({ address }: any) => address).toSorted(), [
      '192.0.2.7',
      '2001:db8:0:0::/64',
    ])
    assert.equal((await ask('DELETE', '/bans/192.0.2.7')).status, 200)
    assert.equal((await ask('DELETE', `/bans/${encodeURIComponent('2001:db8:0:0::/64')}`)).status, 200)
    assert.equal(kernel.elements.size, 0)
    assert.equal((await ask('DELETE', '/bans/192.0.2.7')).status, 404)
    assert.equal((await ask('POST', '/bans', { address: '::ffff:c000:207' })).data.address, '192.0.2.7')
    assert.ok(kernel.elements.has('192.0.2.7'))
    assert.equal((await ask('DELETE', '/bans/::ffff:192.0.2.7')).status, 200)
    for (const address of ['127.0.0.1', '::1', '::ffff:7f00:1', '1.2.3', '192.0.2.0/24', 'x'])
      assert.equal((await ask('POST', '/bans', { address })).status, 400, address)
    const own = await panel.request('POST', '/api/firewall/bans', {
      as: panel.admin,
      ip: '198.51.100.9',
      body: { address: '198.51.100.9' },
    })
    assert.equal(own.status, 400)
    assert.match(own.error.message, /your own/)
  })

  it('bans an address after failed sign-ins, unless it is on the list', async () => {
    const settings = { bans_sign_ins: true, attempts: 3, window_minutes: 5, ban_minutes: 30 }
    const put = (never: readonly string[]) => ask('PUT', '/settings', { ...settings, never_ban: never })
    assert.equal((await put(['192.0.2.1/24'])).status, 400)
    assert.equal((await put(['::ffff:203.0.113.0/120'])).status, 200)
    const fail = (ip: string) =>
      panel.request('POST', '/api/auth/login', {
        ip,
        body: { email: 'nobody@example.com', password: 'wrong' },
      })
    for (const ip of ['203.0.113.5', '198.51.100.5'])
      for (let count = 0; count < 3; count += 1) assert.equal((await fail(ip)).status, 401)
    await until(async () => kernel.elements.has('198.51.100.5'))
    assert.equal(kernel.elements.has('203.0.113.5'), false)
    const [ban] = (await ask('GET', '/bans')).data
    assert.deepEqual([ban.address, ban.source], ['198.51.100.5', 'panel'])
    assert.match(ban.reason, /^3 failed sign-ins within 5 minutes, the last one to the panel$/)
    const response = { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' }
    const passkey = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response }
    const failPasskey = (ip: string) =>
      panel.request('POST', '/api/auth/passkeys/login', { ip, body: { response: passkey } })
    for (let count = 0; count < 3; count += 1) assert.equal((await failPasskey('198.51.100.6')).status, 401)
    await until(async () => kernel.elements.has('198.51.100.6'))
    assert.deepEqual((await ask('GET', '/settings')).data, { ...settings, never_ban: ['203.0.113.0/24'] })
  })
})
