import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../../test/support/panel.ts'
import { until } from '../../../../test/support/until.ts'
import { run } from '../../../host/run.ts'
import { scriptPackages } from '../../../host/testing/scripted-host.ts'
import { type ScratchPowerdns, startPowerdns } from '../../../tools/powerdns/testing/scratch-powerdns.ts'

describe('DNSSEC, smart rules and replication', () => {
  let server: ScratchPowerdns
  let panel: TestPanel
  before(async () => {
    server = await startPowerdns(['edns-subnet-processing=yes'])
    panel = await openTestPanel({
      scripts: [scriptPackages(new Map([['pdns-server', '4.7.3-2']]))],
      powerdns: { resolver: { address: '127.0.0.1', port: server.dnsPort } },
    })
    server.serveTo(panel.root)
    writeFileSync(
      `${panel.root}/etc/powerdns/pdns.d/hostreeve.rules.conf`,
      '# Written by Hostreeve.\nedns-subnet-processing=yes\n',
    )
    await panel.start()
  })
  after(async () => {
    await panel.close()
    await server.stop()
  })

  const ask = (method: string, path: string, body?: unknown, as = panel.admin) =>
    panel.request(method, `/api/authdns${path}`, { as, ...(body !== undefined && { body }) })
  const must = async (method: string, path: string, body?: unknown) => {
    const { status, data, text } = await ask(method, path, body)
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`)
    return data
  }
  const refused = async (method: string, path: string, body?: unknown) => {
    const { status, error } = await ask(method, path, body)
    return [status, error?.code]
  }
  let made = 0
  const newZone = async (more: object = {}) => {
    made += 1
    const name = `more${made}.example.com`
    await must('POST', '/zones', { name, ...more })
    return name
  }
  const undoLast = async () => {
    const { data } = await panel.request('GET', '/api/activity?per_page=1', { as: panel.admin })
    const undo = await panel.request('POST', `/api/activity/${data.items[0].id}/undo`, { as: panel.admin })
    assert.equal(undo.status, 200, undo.text)
  }

  /** Asks delv, which trusts only the DS. */
  const delv = async (zone: string, name: string, ds: string) => {
    const folder = mkdtempSync('/tmp/hostreeve-delv-')
    const [tag, algorithm, type, digest] = ds.split(' ')
    const anchor = `${zone}. static-ds ${tag} ${algorithm} ${type} "${digest}";`
    writeFileSync(`${folder}/anchors`, `trust-anchors { ${anchor} };\n`)
    const argv = ['delv', '@127.0.0.1', '-p', String(server.dnsPort), '-a', `${folder}/anchors`] as const
    const { stdout, stderr } = await run([...argv, `+root=${zone}`, name, 'A'], { timeoutMs: 60_000 })
    rmSync(folder, { recursive: true })
    return stdout + stderr
  }

  test('signs a zone so that delv validates it with the DS, also after a change, and undoes it', async () => {
    const zone = await newZone({ rrsets: [{ name: 'www', type: 'A', records: [{ content: '192.0.2.1' }] }] })
    const { ds } = await must('POST', `/zones/${zone}/dnssec`)
    assert.equal(ds.length, 2)
    assert.match(ds[0], /^\d+ 13 2 [0-9a-f]{64}$/)
    assert.match(await delv(zone, `www.${zone}`, ds[0]), /fully validated[\s\S]*192\.0\.2\.1/)
    const rrsets = [{ name: 'new', type: 'A', records: [{ content: '192.0.2.2' }] }]
    await must('PATCH', `/zones/${zone}/records`, { rrsets })
    assert.match(await delv(zone, `new.${zone}`, ds[0]), /fully validated/)
    assert.match(await delv(zone, `missing.${zone}`, ds[0]), /negative response, fully validated/)
    const read = await must('GET', `/zones/${zone}/dnssec`)
    assert.deepEqual([read.signed, read.ds, read.keys.length], [true, ds, 1])
    assert.doesNotMatch(JSON.stringify(read), /PrivateKey/)
    assert.deepEqual(await refused('POST', `/zones/${zone}/dnssec`), [409, 'conflict'])
    await must('DELETE', `/zones/${zone}/dnssec?force=true`)
    assert.deepEqual(await server.dig(zone, 'DNSKEY'), [])
    assert.deepEqual(await refused('DELETE', `/zones/${zone}/dnssec`), [400, 'bad_request'])
    await undoLast()
    assert.match(await delv(zone, `www.${zone}`, ds[0]), /fully validated/)
  })

  /** A signed zone and its parent, which has its DS; all records live as long as `ttl` says. */
  const signedChild = async (ttl: number) => {
    const parent = await newZone()
    const zone = `child.${parent}`
    const soa = `ns1.${zone}. hostmaster.${zone}. 1 10800 3600 604800 ${ttl}`
    await must('POST', '/zones', {
      name: zone,
      rrsets: [
        { name: '@', type: 'SOA', ttl, records: [{ content: soa }] },
        { name: '@', type: 'NS', ttl, records: [{ content: `ns1.${zone}.` }] },
        { name: 'www', type: 'A', ttl, records: [{ content: '192.0.2.1' }] },
      ],
    })
    const { ds } = await must('POST', `/zones/${zone}/dnssec`)
    const publish = (content: string) =>
      must('PATCH', `/zones/${parent}/records`, {
        rrsets: [{ name: 'child', type: 'DS', ttl, records: [{ content }] }],
      })
    await publish(ds[0])
    const unpublish = () =>
      must('PATCH', `/zones/${parent}/records`, {
        rrsets: [{ name: 'child', type: 'DS', changetype: 'DELETE' }],
      })
    const path = `/zones/${zone}/dnssec`
    const rollover = async () => (await must('GET', path)).rollover
    const take = (step: string, force = false) =>
      ask('POST', `${path}/rollover${force ? '?force=true' : ''}`, { step })
    const tooEarly = async (step: string) => {
      const { status, error } = await take(step)
      assert.deepEqual([status, error?.code], [409, 'force_required'], step)
      return error.message
    }
    const must200 = async (step: string, force = false) => {
      const { status, text } = await take(step, force)
      assert.equal(status, 200, text)
    }
    return { zone, ds: ds[0] as string, publish, unpublish, rollover, take: must200, tooEarly }
  }
  const validates = async (zone: string, ...all: readonly string[]) => {
    for (const ds of all) assert.match(await delv(zone, `www.${zone}`, ds), /fully validated/, ds)
  }

  const refusedRemoval = async (zone: string) => {
    const { status, error } = await ask('DELETE', `/zones/${zone}/dnssec`)
    assert.deepEqual([status, error?.code], [409, 'force_required'])
    return error.message
  }

  test('disables DNSSEC without force only once the parent has had no DS for its time to live, and undoes it', async () => {
    const { zone, ds, unpublish } = await signedChild(1)
    const path = `/zones/${zone}/dnssec`
    const { parent, withdrawal } = await must('GET', path)
    assert.deepEqual([parent, withdrawal], ['published', null])
    assert.match(await refusedRemoval(zone), /has its DS: have the registrar remove it/)
    assert.deepEqual(await must('POST', `${path}/withdrawal`), { ds_seconds: 1, remove_from: null })
    await unpublish()
    assert.match(await refusedRemoval(zone), /confirm that the parent of \S+ has none any more/)
    const confirmed = await must('POST', `${path}/withdrawal`)
    assert.equal(confirmed.ds_seconds, 1)
    assert.deepEqual((await must('GET', path)).withdrawal, confirmed)
    assert.deepEqual(await must('POST', `${path}/withdrawal`), confirmed)
    await until(async () => (await ask('DELETE', path)).status === 200, { everyMs: 100 })
    assert.ok(new Date().toISOString() >= confirmed.remove_from, 'the keys went too early')
    assert.deepEqual(await server.dig(zone, 'DNSKEY'), [])
    const after = await must('GET', path)
    assert.deepEqual([after.signed, after.withdrawal], [false, null])
    await undoLast()
    await validates(zone, ds)
    assert.deepEqual((await must('GET', path)).withdrawal, confirmed)
  })

  test('waits for the time to live that the DS had, a day where it is not known, and begins again with a new DS', async () => {
    const { zone, ds, publish, unpublish } = await signedChild(3600)
    const path = `/zones/${zone}/dnssec`
    assert.equal((await must('POST', `${path}/withdrawal`)).ds_seconds, 3600)
    await unpublish()
    await must('POST', `${path}/withdrawal`)
    assert.match(await refusedRemoval(zone), /resolvers may have the DS of \S+ until \d{4}-/)
    await publish(ds)
    assert.equal((await must('GET', path)).withdrawal.remove_from, null)
    assert.match(await refusedRemoval(zone), /has its DS/)
    assert.equal((await must('POST', `${path}/withdrawal`)).remove_from, null)
    await unpublish()
    assert.match(await refusedRemoval(zone), /confirm that the parent/)
    await must('DELETE', `${path}?force=true`)
    assert.deepEqual(await refused('POST', `${path}/withdrawal`), [400, 'bad_request'])
    const other = await newZone()
    await must('POST', `/zones/${other}/dnssec`)
    assert.equal((await must('GET', `/zones/${other}/dnssec`)).parent, 'unknown')
    assert.match(await refusedRemoval(other), /cannot be found out/)
    assert.deepEqual(await refused('POST', `/zones/${other}/dnssec/withdrawal`), [409, 'force_required'])
    const forced = await must('POST', `/zones/${other}/dnssec/withdrawal?force=true`)
    assert.equal(forced.ds_seconds, 86_400)
    assert.match(await refusedRemoval(other), /cannot be found out/)
    assert.deepEqual(await refused('POST', '/zones/none.example/dnssec/withdrawal'), [404, 'not_found'])
  })

  test('rolls a key over so that delv validates the zone with the DS of each moment, and undoes it', async () => {
    const { zone, ds, publish, rollover, take, tooEarly } = await signedChild(1)
    assert.equal(await rollover(), null)
    const { serial } = await must('GET', `/zones/${zone}`)
    await take('start')
    assert.ok((await must('GET', `/zones/${zone}`)).serial > serial, 'secondaries do not learn of the key')
    assert.deepEqual(await refused('POST', `/zones/${zone}/dnssec/rollover`, { step: 'start' }), [
      409,
      'conflict',
    ])
    assert.equal((await server.dig(zone, 'DNSKEY')).length, 2)
    const begun = await rollover()
    assert.deepEqual([begun.parent, begun.finish_from], ['former', null])
    await validates(zone, ds, begun.ds[0])
    await until(async () => (await rollover()).state === 'waiting_for_parent', { everyMs: 100 })
    assert.match(await tooEarly('ds_published'), /has the DS of the former key/)
    assert.match(await tooEarly('finish'), /not confirmed/)
    await publish(begun.ds[0])
    assert.equal((await rollover()).parent, 'new')
    assert.match(await tooEarly('cancel'), /finish the roll-over instead/)
    await take('ds_published')
    await until(async () => (await rollover()).state === 'ready', { everyMs: 100 })
    await take('finish')
    assert.deepEqual([await rollover(), (await server.dig(zone, 'DNSKEY')).length], [null, 1])
    await validates(zone, begun.ds[0])
    assert.doesNotMatch(await delv(zone, `www.${zone}`, ds), /fully validated/)
    await undoLast()
    await validates(zone, ds, begun.ds[0])
    assert.equal((await rollover()).state, 'ready')
  })

  test('computes how long a roll-over waits, cancels it, and carries it out at once with force', async () => {
    const { zone, ds, rollover, take, tooEarly } = await signedChild(3600)
    await take('start')
    const { state, started_at, publish_from } = await rollover()
    assert.equal(state, 'waiting_for_caches')
    assert.equal(Date.parse(publish_from) - Date.parse(started_at), 3_620_000)
    assert.match(await tooEarly('ds_published'), /the parent must have the former DS until then/)
    await take('cancel')
    assert.deepEqual([await rollover(), (await server.dig(zone, 'DNSKEY')).length], [null, 1])
    await validates(zone, ds)
    const path = `/zones/${zone}/dnssec/rollover`
    assert.deepEqual(await refused('POST', path, { step: 'cancel' }), [400, 'bad_request'])
    await take('start')
    await take('ds_published', true)
    assert.equal((await rollover()).state, 'waiting_for_ds')
    assert.match(await tooEarly('finish'), /may have the DS of the former key until/)
    await take('finish', true)
    assert.equal((await server.dig(zone, 'DNSKEY')).length, 1)
    assert.doesNotMatch(await delv(zone, `www.${zone}`, ds), /fully validated/)
  })

  test('refuses a roll-over of a zone without keys, a step that is none, and a caller who is no superuser', async () => {
    const path = `/zones/${await newZone()}/dnssec/rollover`
    assert.deepEqual(await refused('POST', path, { step: 'start' }), [400, 'bad_request'])
    assert.deepEqual(await refused('POST', path, { step: 'jump' }), [400, 'bad_request'])
    const none = '/zones/none.example/dnssec/rollover'
    assert.deepEqual(await refused('POST', none, { step: 'start' }), [404, 'not_found'])
    const tenant = await panel.person({ email: 'roller@example.com' })
    assert.equal((await ask('POST', path, { step: 'start' }, tenant)).status, 403)
  })

  test('refuses unknown zones, and callers who are no superusers', async () => {
    assert.deepEqual(await refused('GET', '/zones/none.example/dnssec'), [404, 'not_found'])
    const tenant = await panel.person({ email: 'tenant@example.com' })
    for (const path of ['/zones/none.example/dnssec', '/smart-rules', '/replication'])
      assert.equal((await ask('GET', path, undefined, tenant)).status, 403)
  })

  test('answers by weight as the simulation shows, changes a rule, and removes its record', async () => {
    const zone = await newZone()
    const draft = { zone, record_name: 'www', rule_type: 'weighted' }
    const config = { targets: [{ value: '192.0.2.7', weight: 5 }] }
    const { id } = await must('POST', '/smart-rules', { ...draft, config })
    assert.deepEqual(await server.dig(`www.${zone}`, 'A'), ['192.0.2.7'])
    const client = { zone, record_name: 'www', address: '203.0.113.9' }
    const simulated = await must('POST', '/smart-rules/simulate', client)
    assert.deepEqual(simulated, { code: 'NOERROR', answers: ['192.0.2.7'], ttl: 60 })
    assert.deepEqual(await refused('POST', '/smart-rules', { ...draft, config }), [409, 'conflict'])
    await must('PUT', `/smart-rules/${id}`, {
      config: { targets: [{ value: '192.0.2.8', weight: 1 }], ttl: 30 },
    })
    assert.deepEqual(await server.dig(`www.${zone}`, 'A'), ['192.0.2.8'])
    await must('PUT', `/smart-rules/${id}`, { enabled: false })
    assert.deepEqual(await server.dig(`www.${zone}`, 'A'), [])
    await must('PUT', `/smart-rules/${id}`, { enabled: true })
    await must('DELETE', `/smart-rules/${id}`)
    assert.deepEqual(await server.dig(`www.${zone}`, 'A'), [])
    assert.deepEqual(await must('GET', `/smart-rules?zone=${zone}`), [])
    assert.deepEqual(await refused('DELETE', `/smart-rules/${id}`), [404, 'not_found'])
  })

  test('loses its rules with a zone, and gets them back with it', async () => {
    const zone = await newZone()
    const config = { targets: [{ value: '192.0.2.7', weight: 1 }] }
    const draft = { zone, record_name: 'www', rule_type: 'weighted', config }
    const { id } = await must('POST', '/smart-rules', draft)
    await must('DELETE', `/zones/${zone}`)
    assert.deepEqual(await must('GET', `/smart-rules?zone=${zone}`), [])
    await undoLast()
    assert.deepEqual(await server.dig(`www.${zone}`, 'A'), ['192.0.2.7'])
    assert.equal((await must('GET', `/smart-rules?zone=${zone}`))[0].id, id)
    await panel.tools.powerdns.api.write({ method: 'DELETE', path: `/zones/${zone}.` })
    assert.deepEqual(await refused('PUT', `/smart-rules/${id}`, { enabled: false }), [404, 'not_found'])
    await must('DELETE', `/smart-rules/${id}`)
  })

  test('refuses rules that cannot work', async () => {
    const zone = await newZone({
      rrsets: [{ name: 'taken', type: 'A', records: [{ content: '192.0.2.1' }] }],
    })
    const targets = [{ value: '192.0.2.7', weight: 1 }]
    const rule = { zone, record_name: 'www', rule_type: 'weighted', config: { targets } }
    assert.deepEqual(await refused('POST', '/smart-rules', { ...rule, record_name: 'taken' }), [
      400,
      'bad_request',
    ])
    assert.deepEqual(await refused('POST', '/smart-rules', { ...rule, zone: 'none.example' }), [
      404,
      'not_found',
    ])
    const geo = { name: 'geo', countries: { DE: '192.0.2.1' }, default: '192.0.2.2' }
    assert.deepEqual(await refused('POST', `/zones/${zone}/geo-record`, geo), [400, 'bad_request'])
    assert.match((await must('GET', '/geo')).reason, /geoip_file/)
    const asked = { zone, record_name: 'www', address: 'no address' }
    assert.deepEqual(await refused('POST', '/smart-rules/simulate', asked), [400, 'bad_request'])
  })

  test('reads the role and refuses invalid ones', async () => {
    assert.equal((await must('GET', '/replication')).role, 'native')
    assert.deepEqual(await refused('POST', '/replication', { role: 'slave' }), [400, 'bad_request'])
    assert.deepEqual(await refused('POST', '/replication', { role: 'boss' }), [400, 'bad_request'])
  })
})
