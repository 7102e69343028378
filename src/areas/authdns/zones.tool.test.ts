import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { domainToASCII } from 'node:url'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { stepRun } from '../../../test/support/step-run.ts'
import { scriptPackages, scriptSystemd } from '../../host/testing/scripted-host.ts'
import { openChallenges } from './challenges.ts'
import type { Authdns } from './context.ts'
import { switchAddress } from './record-address.ts'
import { type ScratchPowerdns, startPowerdns } from '../../tools/powerdns/testing/scratch-powerdns.ts'

describe('DNS zones', () => {
  let server: ScratchPowerdns
  let panel: TestPanel
  before(async () => {
    server = await startPowerdns()
    const installed = new Map([['pdns-server', '4.7.3-2']])
    panel = await openTestPanel({
      scripts: [
        scriptPackages(installed),
        scriptSystemd(new Map([['pdns', { isActive: true, isEnabled: true }]])),
      ],
    })
    server.serveTo(panel.root)
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
    return [status, error?.code, error?.message]
  }
  const undoLast = async () => {
    const { data } = await panel.request('GET', '/api/activity?per_page=1', { as: panel.admin })
    const { status, text } = await panel.request('POST', `/api/activity/${data.items[0].id}/undo`, {
      as: panel.admin,
    })
    assert.equal(status, 200, text)
  }
  let made = 0
  const newZone = async (more: object = {}) => {
    made += 1
    const name = `zone${made}.example.com`
    await must('POST', '/zones', { name, ...more })
    return name
  }

  test('creates a zone that PowerDNS serves, lists it, and removes it', async () => {
    const name = await newZone({
      nameservers: ['ns1.example.net', 'ns2.example.net.'],
      rrsets: [
        { name: 'www', type: 'a', ttl: 300, records: [{ content: '192.0.2.10' }] },
        { name: 'none', type: 'TXT', changetype: 'DELETE' },
      ],
    })
    assert.deepEqual(await server.dig(name, 'NS'), ['ns1.example.net.', 'ns2.example.net.'])
    assert.deepEqual(await server.dig(`www.${name}`, 'A'), ['192.0.2.10'])
    const zone = await must('GET', `/zones/${name}`)
    assert.deepEqual(
      zone.rrsets.map(({ name: of, type }: { name: string; type: string }) => `${of} ${type}`).toSorted(),
      [`www.${name}. A`, `${name}. NS`, `${name}. SOA`],
    )
    const listed = (await must('GET', '/zones')).find((one: { name: string }) => one.name === name)
    assert.deepEqual(listed, { name, kind: 'Native', serial: zone.serial, dnssec: false, masters: [] })
    const [status, code] = await refused('POST', '/zones', { name: `${name.toUpperCase()}.` })
    assert.deepEqual([status, code], [409, 'conflict'])
    await must('DELETE', `/zones/${name}`)
    assert.deepEqual(await server.dig(`www.${name}`, 'A'), [])
    assert.equal((await ask('GET', `/zones/${name}`)).status, 404)
    assert.equal((await ask('DELETE', `/zones/${name}`)).status, 404)
  })

  test('shows a new zone in its plan, and undoes it', async () => {
    const plan = await must('POST', '/zones?plan=1', { name: 'planned.example.com' })
    assert.deepEqual(plan.steps[0].objects, [
      { name: 'zone planned.example.com', before: null, after: 'Native, 2 record sets' },
    ])
    assert.equal((await ask('GET', '/zones/planned.example.com')).status, 404)
  })

  const patch = (name: string, rrsets: readonly object[], query = '') =>
    ask('PATCH', `/zones/${name}/records${query}`, { rrsets })
  const set = (name: string, type: string, ...contents: readonly string[]) => ({
    ...{ name, type, ttl: 60 },
    records: contents.map((content) => ({ content })),
  })

  test('replaces, adds and removes several sets at once, as dig sees, and undoes all of them', async () => {
    const name = await newZone({ rrsets: [set('old', 'A', '192.0.2.1'), set('www', 'A', '192.0.2.2')] })
    const before = (await must('GET', `/zones/${name}`)).rrsets
    const rrsets = [
      { name: 'old', type: 'A', changetype: 'DELETE' },
      set('www', 'A', '192.0.2.3', '192.0.2.4'),
      set('@', 'MX', '10 mail', '20 mail.example.net.'),
      set(`txt.${name}.`, 'TXT', 'v=spf1 -all', '"one" "two"'),
      set('Ünïcode', 'AAAA', '2001:DB8:0::1'),
      set('*', 'CNAME', 'www'),
    ]
    const plan = (await patch(name, rrsets, '?plan=1')).data
    const shown = plan.steps[0].objects.find(({ name: of }: { name: string }) => of === `www.${name}. A`)
    assert.deepEqual(shown, {
      name: `www.${name}. A`,
      before: '60 192.0.2.2',
      after: '60 192.0.2.3\n60 192.0.2.4',
    })
    const { status, data, text } = await patch(name, rrsets)
    assert.deepEqual([status, data], [200, { success: true, changed: 6 }], text)
    assert.deepEqual(
      await server.dig(`old.${name}`, 'A'),
      [`www.${name}.`, '192.0.2.3', '192.0.2.4'].toSorted(),
    )
    assert.deepEqual(await server.dig(`www.${name}`, 'A'), ['192.0.2.3', '192.0.2.4'])
    assert.deepEqual(await server.dig(name, 'MX'), [`10 mail.${name}.`, '20 mail.example.net.'])
    assert.deepEqual(await server.dig(`txt.${name}`, 'TXT'), ['"one" "two"', '"v=spf1 -all"'])
    assert.deepEqual(await server.dig(`${domainToASCII('ünïcode')}.${name}`, 'AAAA'), ['2001:db8::1'])
    await undoLast()
    const after = (await must('GET', `/zones/${name}`)).rrsets
    const withoutSoa = (sets: readonly { type: string }[]) => sets.filter(({ type }) => type !== 'SOA')
    assert.deepEqual(withoutSoa(after), withoutSoa(before))
    await must('PATCH', `/zones/${name}/records`, { rrsets })
    const again = await patch(name, rrsets.slice(1))
    assert.deepEqual(again.data, { success: true, changed: 0 })
  })

  test('replaces addresses by a CNAME, and keeps texts apart that differ by case alone', async () => {
    const name = await newZone({ rrsets: [set('www', 'A', '192.0.2.1'), set('key', 'TXT', 'AbC', 'abc')] })
    const replaced = await patch(name, [
      { name: 'www', type: 'A', changetype: 'DELETE' },
      set('www', 'CNAME', 'host'),
    ])
    assert.deepEqual(replaced.data, { success: true, changed: 2 }, replaced.text)
    assert.deepEqual(await server.dig(`www.${name}`, 'CNAME'), [`host.${name}.`])
    assert.deepEqual(await server.dig(`key.${name}`, 'TXT'), ['"AbC"', '"abc"'])
    assert.deepEqual((await patch(name, [set('key', 'TXT', 'abc', 'AbC')])).data.changed, 0)
    const simple = `/zones/${name}/records/simple`
    await must('DELETE', simple, { name: 'key', type: 'TXT', content: 'abc' })
    assert.deepEqual(await server.dig(`key.${name}`, 'TXT'), ['"AbC"'])
    await must('POST', simple, { name: 'key', type: 'TXT', content: 'ABC' })
    assert.deepEqual(await server.dig(`key.${name}`, 'TXT'), ['"ABC"', '"AbC"'])
  })

  test('replaces a text by one that differs by case or blanks alone, and undoes it', async () => {
    const name = await newZone({ rrsets: [set('key', 'TXT', 'AbC'), set('gap', 'TXT', 'a b')] })
    const rrsets = [set('key', 'TXT', 'abc'), set('gap', 'TXT', 'a  b')]
    const { objects } = (await patch(name, rrsets, '?plan=1')).data.steps[0]
    assert.deepEqual(
      objects.find((one: { name: string }) => one.name === `key.${name}. TXT`),
      {
        name: `key.${name}. TXT`,
        before: '60 "AbC"',
        after: '60 "abc"',
      },
    )
    const answered = async () =>
      [...(await server.dig(`key.${name}`, 'TXT')), ...(await server.dig(`gap.${name}`, 'TXT'))].join()
    assert.equal((await patch(name, rrsets)).data.changed, 2)
    assert.equal(await answered(), '"abc","a  b"')
    await undoLast()
    assert.equal(await answered(), '"AbC","a b"')
    assert.equal((await patch(name, rrsets)).data.changed, 2)
    assert.equal((await patch(name, rrsets)).data.changed, 0)
  })

  test('restores by undo one of two texts that differ by case alone', async () => {
    const name = await newZone({ rrsets: [set('key', 'TXT', 'AbC', 'abc')] })
    await must('DELETE', `/zones/${name}/records/simple`, { name: 'key', type: 'TXT', content: 'abc' })
    assert.deepEqual(await server.dig(`key.${name}`, 'TXT'), ['"AbC"'])
    await undoLast()
    assert.deepEqual(await server.dig(`key.${name}`, 'TXT'), ['"AbC"', '"abc"'])
  })

  test('finds its own writes complete where two texts differ by case alone', async () => {
    const name = await newZone({ rrsets: [set('key', 'TXT', 'AbC')] })
    const { setRecords, setZone } = panel.tools.powerdns.steps
    const records = ['"ABC"', '"AbC"'].map((content) => ({ content, disabled: false }))
    const sets = [{ name: `key.${name}.`, type: 'TXT', ttl: 60, records }]
    const replacing = { zone: name, sets }
    const before = await setRecords.observe(replacing)
    await setRecords.act(replacing, stepRun(before))
    assert.equal(await setRecords.check(replacing, before), 'wanted')
    assert.deepEqual(await server.dig(`key.${name}`, 'TXT'), ['"ABC"', '"AbC"'])
    await setRecords.undo(replacing, before)
    assert.equal(await setRecords.check(replacing, before), 'before')
    const { kind, masters, sets: others } = (await panel.tools.powerdns.readZone(name))!
    await must('DELETE', `/zones/${name}`)
    const kept = others.filter(({ type }) => type !== 'TXT')
    const creating = { name, content: { kind, masters, sets: [...kept, ...sets] } }
    await setZone.act(creating, stepRun({ was: null }))
    assert.equal(await setZone.check(creating, { was: null }), 'wanted')
    assert.deepEqual(await server.dig(`key.${name}`, 'TXT'), ['"ABC"', '"AbC"'])
  })

  test('adds and removes single records, and keeps the others of the set', async () => {
    const name = await newZone()
    const simple = `/zones/${name}/records/simple`
    const added = await ask('POST', simple, { name: 'www', type: 'A', content: '192.0.2.1', ttl: 120 })
    assert.deepEqual([added.status, added.data], [201, { success: true, changed: 1 }], added.text)
    await must('POST', simple, { name: 'www', type: 'A', content: '192.0.2.2' })
    assert.deepEqual(await server.dig(`www.${name}`, 'A'), ['192.0.2.1', '192.0.2.2'])
    await must('DELETE', simple, { name: 'www', type: 'A', content: '192.0.2.1' })
    assert.deepEqual(await server.dig(`www.${name}`, 'A'), ['192.0.2.2'])
    for (const content of ['', ' ']) {
      const empty = await refused('DELETE', simple, { name: 'www', type: 'A', content })
      assert.deepEqual(empty, [400, 'bad_request', 'content: must not be empty'])
    }
    assert.deepEqual(await server.dig(`www.${name}`, 'A'), ['192.0.2.2'])
    await must('DELETE', simple, { name: 'www', type: 'A' })
    assert.deepEqual(await server.dig(`www.${name}`, 'A'), [])
    const [status, code] = await refused('DELETE', simple, { name: 'www', type: 'A' })
    assert.deepEqual([status, code], [404, 'not_found'])
    assert.equal(
      (
        await ask('POST', '/zones/none.example.com/records/simple', {
          name: 'a',
          type: 'A',
          content: '192.0.2.1',
        })
      ).status,
      404,
    )
  })

  test('refuses records that their type does not allow, and names the field', async () => {
    const name = await newZone({ rrsets: [set('www', 'A', '192.0.2.1')] })
    const long = 'x'.repeat(64)
    const cases: readonly (readonly [set: object, message: RegExp])[] = [
      [set(`${long}`, 'A', '192.0.2.1'), /^rrsets\[0\]\.name: a label has at most 63/],
      [
        set(Array.from({ length: 40 }, () => 'abcdef').join('.'), 'A', '192.0.2.1'),
        /name: a name has at most 253/,
      ],
      [set('a\\046b', 'A', '192.0.2.1'), /name: PowerDNS takes no escaped/],
      [set('a..b', 'A', '192.0.2.1'), /name: .* has an empty label/],
      [set('www.example.net.', 'A', '192.0.2.1'), /name: www\.example\.net\. is not in the zone/],
      [set('xn--\u0000', 'A', '192.0.2.1'), /name/],
      [set('";os.execute("id")--', 'LUA', 'A "x"'), /name: PowerDNS takes no/],
      [set('www', 'A', '192.0.2.256'), /records\[0\]\.content: must be an IPv4/],
      [set('www', 'AAAA', '192.0.2.1'), /content: must be an IPv6/],
      [set('www', 'A', '192.0.2.1', '192.0.2.1'), /records\[1\]\.content: is there twice/],
      [set('www', 'CNAME', 'other'), /CNAME must be the only record/],
      [set('alias', 'CNAME', 'one', 'two'), /a name has only one CNAME/],
      [set('@', 'MX', '10 192.0.2.1'), /must be a host name, and 192\.0\.2\.1 is an address/],
      [set('_sip._tcp', 'SRV', '10 5 65536 sip'), /the port must be a number from 0 to 65535/],
      [set('@', 'CAA', '1 issue "ca.example.net"'), /flags must be 0, or 128/],
      [set('@', 'CAA', '256 issue "ca.example.net"'), /flags must be a number from 0 to 255/],
      [set('www', 'TXT', 'x'.repeat(65_000)), /at most 64000 characters/],
      [set('www', 'TXT', '"open'), /a quote is not closed/],
      [set('www', 'TXT', '"\\300"'), /is no byte/],
      [set('www', 'RRSIG', 'x'), /type: records of type RRSIG are made by DNSSEC/],
      [set('www', 'KLINGON', 'x'), /type: KLINGON is not a type/],
      [set('www', 'LOC', 'nowhere'), /PowerDNS: /],
      [set('www', 'SOA', 'a b 1 1 1 1 1'), /the SOA belongs to the zone/],
      [{ ...set('www', 'A', '192.0.2.9'), ttl: -1 }, /ttl/],
      [{ name: 'www', type: 'A', records: [] }, /records: must have a record/],
      [{ name: '@', type: 'NS', changetype: 'DELETE' }, /needs NS records/],
    ]
    for (const [draft, message] of cases) {
      const { status, error } = await patch(name, [draft])
      assert.deepEqual([status, error?.code], [400, 'bad_request'], JSON.stringify(draft).slice(0, 200))
      assert.match(error.message, message)
    }
    const [twice] = await refused('PATCH', `/zones/${name}/records`, {
      rrsets: [set('a', 'A', '192.0.2.1'), set(`a.${name}.`, 'a', '192.0.2.2')],
    })
    assert.equal(twice, 400)
    assert.deepEqual(await server.dig(`www.${name}`, 'A'), ['192.0.2.1'])
  })

  test('accepts a text of 256 bytes as two strings, and each type in the form of PowerDNS', async () => {
    const name = await newZone()
    const contents: Readonly<Record<string, string>> = {
      TXT: `"${'x'.repeat(255)}" "x"`,
      SRV: `10 5 5060 sip.${name}.`,
      CAA: '128 issue "ca.example.net"',
      TLSA: `3 1 1 ${'ab'.repeat(32)}`,
      SSHFP: `4 2 ${'cd'.repeat(32)}`,
      NAPTR: '100 10 "U" "E2U+sip" "!^.*$!sip:info@example.com!" .',
      DS: `12345 13 2 ${'ef'.repeat(32)}`,
      HTTPS: '1 . alpn=h2,h3',
      URI: '10 1 "https://www.example.com/"',
      LOC: '52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000.00m 10.00m',
      HINFO: '"CPU" "OS"',
      RP: `hostmaster.${name}. txt.${name}.`,
      PTR: 'host.example.net.',
      DNAME: 'other.example.net.',
    }
    const sentForms: Readonly<Record<string, string>> = {
      TXT: 'x'.repeat(256),
      HTTPS: '1 . alpn="h2,h3"',
    }
    for (const [type, content] of Object.entries(contents)) {
      const sent = sentForms[type] ?? content
      const { status, text } = await patch(name, [set(`of-${type.toLowerCase()}`, type, sent)])
      assert.equal(status, 200, `${type}: ${text}`)
    }
    const { rrsets } = await must('GET', `/zones/${name}`)
    for (const [type, content] of Object.entries(contents)) {
      const found = rrsets.find((one: { name: string }) => one.name === `of-${type.toLowerCase()}.${name}.`)
      assert.deepEqual([type, found.records[0].content], [type, content])
    }
  })

  test('finds no change where PowerDNS has written the case of a record itself', async () => {
    const name = await newZone()
    const rrsets = [
      set('https', 'HTTPS', '1 . alpn=h2 ipv6hint=2001:DB8::1,2001:db8:0::2'),
      set('svcb', 'SVCB', '1 . ipv6hint="2001:DB8::1"'),
      set('lua', 'LUA', `a "ifportup(443, {'192.0.2.1'})"`),
      set('loc', 'LOC', '52 22 23.000 n 4 53 32.000 e -2.00m 0.00m 10000.00m 10.00m'),
      set('ipsec', 'IPSECKEY', '10 2 2 2001:DB8::1 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ=='),
    ]
    const { data, text } = await patch(name, rrsets)
    assert.equal(data?.changed, rrsets.length, text)
    assert.deepEqual(await server.dig(`svcb.${name}`, 'SVCB'), ['1 . ipv6hint=2001:db8::1'])
    await undoLast()
    assert.deepEqual(await server.dig(`svcb.${name}`, 'SVCB'), [])
    assert.equal((await patch(name, rrsets)).data.changed, rrsets.length)
    assert.deepEqual((await patch(name, rrsets)).data, { success: true, changed: 0 })
  })

  test('takes records in each form of their standard, and finds no change in them', async () => {
    const name = await newZone()
    const parts = 'AQNRU3mG7TVT O2BkR47usntb102uFJtugbo6BSGvgqt4AQ=='
    const rrsets = [
      set(
        'https',
        'HTTPS',
        '1 . port=443 key9="a" alpn=h2 mandatory=port,alpn',
        '2 . ipv4hint=192.0.2.1 alpn=h3',
      ),
      set('loc', 'LOC', '52 22 23 N 4 53 32 E -2m', '51 30 n 1 w 10 20m'),
      set('cert', 'CERT', `1 2 3 ${parts}`),
      set('key', 'OPENPGPKEY', parts),
      set('child', 'CDNSKEY', `257 3 8 ${parts}`),
      set('lease', 'DHCID', parts),
      set('ipsec', 'IPSECKEY', `10 1 2 192.0.2.1 ${parts}`),
    ]
    const { data, text } = await patch(name, rrsets)
    assert.equal(data?.changed, rrsets.length, text)
    assert.deepEqual(await server.dig(`loc.${name}`, 'LOC'), [
      '51 30 0.000 N 1 0 0.000 W 10.00m 20m 10000m 10m',
      '52 22 23.000 N 4 53 32.000 E -2.00m 1m 10000m 10m',
    ])
    await undoLast()
    assert.deepEqual(await server.dig(`loc.${name}`, 'LOC'), [])
    for (const changed of [rrsets.length, 0]) assert.equal((await patch(name, rrsets)).data.changed, changed)
  })

  test('takes IPv4-mapped addresses in each form, finds no change in them, and undoes their removal', async () => {
    const name = await newZone({ rrsets: [set('host', 'AAAA', '::ffff:192.0.2.1', '::c000:202')] })
    const key = 'AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ=='
    const hexadecimal = [
      set('host', 'AAAA', '::ffff:c000:203', '::c000:202'),
      set('https', 'HTTPS', '1 . ipv6hint=::ffff:c000:201,::c000:201,2001:db8::1'),
      set('ipsec', 'IPSECKEY', `10 2 2 ::ffff:c000:201 ${key}`, `20 2 2 ::c000:201 ${key}`),
    ]
    const dotted = [
      set('host', 'AAAA', '::FFFF:192.0.2.3', '::192.0.2.2'),
      set('https', 'HTTPS', '1 . ipv6hint=::ffff:192.0.2.1,::192.0.2.1,2001:db8::1'),
      set('ipsec', 'IPSECKEY', `10 2 2 ::ffff:192.0.2.1 ${key}`, `20 2 2 ::192.0.2.1 ${key}`),
    ]
    const served = () => server.dig(`host.${name}`, 'AAAA')
    assert.deepEqual(await served(), ['::192.0.2.2', '::ffff:192.0.2.1'])
    const { data, text } = await patch(name, hexadecimal)
    assert.equal(data?.changed, hexadecimal.length, text)
    assert.deepEqual(await served(), ['::192.0.2.2', '::ffff:192.0.2.3'])
    await undoLast()
    assert.deepEqual(await served(), ['::192.0.2.2', '::ffff:192.0.2.1'])
    assert.deepEqual(await server.dig(`https.${name}`, 'HTTPS'), [])
    assert.equal((await patch(name, dotted)).data.changed, dotted.length)
    for (const same of [hexadecimal, dotted]) assert.equal((await patch(name, same)).data.changed, 0)
    const one = { name: 'host', type: 'AAAA', content: '::192.0.2.2' }
    await must('DELETE', `/zones/${name}/records/simple`, one)
    assert.deepEqual(await served(), ['::ffff:192.0.2.3'])
    await undoLast()
    assert.deepEqual(await served(), ['::192.0.2.2', '::ffff:192.0.2.3'])
    await must('DELETE', `/zones/${name}`)
    await undoLast()
    assert.deepEqual(await served(), ['::192.0.2.2', '::ffff:192.0.2.3'])
  })

  test('switches addresses that PowerDNS stores dotted, and keeps the others', async () => {
    const zone = await newZone({ rrsets: [set('www', 'AAAA', '::192.0.2.1', '::ffff:192.0.2.9')] })
    const { context } = panel.routes.find(({ area }) => area.name === 'authdns') ?? assert.fail()
    const { authdns } = context as { readonly authdns: Authdns }
    const record = { zone, name: 'www', type: 'AAAA' } as const
    const served = () => server.dig(`www.${zone}`, 'AAAA')
    await switchAddress(authdns, { ...record, from: '::c000:201', to: '::ffff:192.0.2.2' })
    assert.deepEqual(await served(), ['::ffff:192.0.2.2', '::ffff:192.0.2.9'])
    await switchAddress(authdns, { ...record, from: '::ffff:c000:202', to: '2001:db8::1' })
    assert.deepEqual(await served(), ['2001:db8::1', '::ffff:192.0.2.9'])
  })

  test('finds its own writes of addresses complete that PowerDNS stores dotted', async () => {
    const name = await newZone()
    const { setRecords } = panel.tools.powerdns.steps
    const records = ['::c000:201', '::ffff:c000:201'].map((content) => ({ content, disabled: false }))
    const replacing = { zone: name, sets: [{ name: `host.${name}.`, type: 'AAAA', ttl: 60, records }] }
    const before = await setRecords.observe(replacing)
    await setRecords.act(replacing, stepRun(before))
    assert.equal(await setRecords.check(replacing, before), 'wanted')
    const removing = { zone: name, sets: replacing.sets.map((one) => ({ ...one, records: [] })) }
    const present = await setRecords.observe(removing)
    await setRecords.act(removing, stepRun(present))
    assert.deepEqual(await server.dig(`host.${name}`, 'AAAA'), [])
    await setRecords.undo(removing, present)
    assert.equal(await setRecords.check(removing, present), 'before')
    assert.deepEqual(await server.dig(`host.${name}`, 'AAAA'), ['::192.0.2.1', '::ffff:192.0.2.1'])
  })

  test('serves the parameters of bindings whose values PowerDNS writes in quotes, and undoes them', async () => {
    const name = await newZone()
    const rrsets = [
      set('https', 'HTTPS', '1 . alpn="h2,h3" ech=AEX+DQ=='),
      set('svcb', 'SVCB', '1 . port="853" key65400="a  b"', '2 . key65400=/query{?dns} key65401=\\195\\164'),
    ]
    const written = [
      ['1 . alpn=h2,h3 ech="AEX+DQ=="'],
      ['1 . port=853 key65400="a  b"', '2 . key65400="/query{?dns}" key65401="\\195\\164"'],
    ]
    const { data, text } = await patch(name, rrsets)
    assert.equal(data?.changed, rrsets.length, text)
    assert.match(
      (await server.dig(`https.${name}`, 'HTTPS')).join(),
      /^1 \. alpn="?h2,h3"? ech="?AEX\+DQ=="?$/,
    )
    assert.match((await server.dig(`svcb.${name}`, 'SVCB')).join(), /^1 \. port=853 key65400="?a {2}b"?,2 /)
    const sets: readonly { type: string; records: readonly { content: string }[] }[] = (
      await must('GET', `/zones/${name}`)
    ).rrsets
    const contents = ['HTTPS', 'SVCB'].map((type) =>
      sets.find((one) => one.type === type)?.records.map(({ content }) => content),
    )
    assert.deepEqual(contents, written)
    await undoLast()
    assert.deepEqual(await server.dig(`https.${name}`, 'HTTPS'), [])
    assert.equal((await patch(name, rrsets)).data.changed, rrsets.length)
    const again = [set('https', 'HTTPS', ...written[0]!), set('svcb', 'SVCB', ...written[1]!)]
    for (const same of [rrsets, again]) assert.equal((await patch(name, same)).data.changed, 0)
  })

  test('finds no change in adding a record that exists beside one that others wrote in another form', async () => {
    const name = await newZone()
    const records = ['1 B.Example.net. alpn=h2', '2 c.example.net.'].map((content) => ({ content }))
    const foreign = { name: `svc.${name}.`, type: 'HTTPS', ttl: 60, changetype: 'REPLACE', records }
    await panel.tools.powerdns.api.write({
      ...{ method: 'PATCH', path: `/zones/${name}.` },
      body: { rrsets: [foreign] },
    })
    for (const content of ['1 b.example.net. alpn=h2', '2 c.example.net.']) {
      const simple = { name: 'svc', type: 'HTTPS', content }
      const { data, text } = await ask('POST', `/zones/${name}/records/simple`, simple)
      assert.equal(data?.changed, 0, text)
    }
  })

  test('takes changes that could take a zone offline with force only', async () => {
    const hosts = Array.from({ length: 10 }, (_, at) => set(`host${at}`, 'A', `192.0.2.${at}`))
    const name = await newZone({ rrsets: hosts })
    const moved = (count: number) => hosts.slice(0, count).map((one, at) => ({ ...one, ttl: 90 + at }))
    const needsForce = async (rrsets: readonly object[]) => {
      const { status, error } = await patch(name, rrsets)
      assert.deepEqual([status, error.code], [409, 'force_required'])
      return error.message
    }
    assert.match(await needsForce(moved(4)), /4 of 12 record sets/)
    assert.equal((await patch(name, moved(3))).status, 200)
    assert.match(await needsForce([set('@', 'NS', 'ns9.example.net.')]), /NS records of the zone itself/)
    const soa = set('@', 'SOA', 'ns9.example.net. admin.example.net. 1 7200 3600 604800 300')
    assert.match(await needsForce([soa]), /SOA records/)
    assert.equal((await patch(name, [soa], '?force=true')).status, 200)
    assert.match(
      (await server.dig(name, 'SOA')).join(),
      /^ns9\.example\.net\. admin\.example\.net\. \d{10} 7200/,
    )
    const added = Array.from({ length: 20 }, (_, at) => set(`new${at}`, 'A', `192.0.2.${at}`))
    assert.equal((await patch(name, added)).status, 200)
  })

  test('removes a signed zone with force only', async () => {
    const name = await newZone()
    await panel.tools.powerdns.api.write({ method: 'PUT', path: `/zones/${name}.`, body: { dnssec: true } })
    const [status, code] = await refused('DELETE', `/zones/${name}`)
    assert.deepEqual([status, code], [409, 'force_required'])
    await must('DELETE', `/zones/${name}?force=true`)
  })

  test('undoes the removal of a zone', async () => {
    const name = await newZone({ rrsets: [set('www', 'A', '192.0.2.77')] })
    await must('DELETE', `/zones/${name}`)
    await undoLast()
    assert.deepEqual(await server.dig(`www.${name}`, 'A'), ['192.0.2.77'])
  })

  test('refuses zones that PowerDNS would not serve', async () => {
    for (const [draft, message] of [
      [{ name: 'a..b' }, /name: .*empty label/],
      [{ name: '*.example.com' }, /wildcard/],
      [{ name: `${'x'.repeat(64)}.com` }, /at most 63/],
      [{ name: 'secondary.example.com', kind: 'Slave' }, /masters: a secondary zone needs/],
      [
        { name: 'second.example.com', kind: 'Slave', masters: ['192.0.2.1', 'ns'] },
        /masters\[1\]: must be an IP/,
      ],
      [{ name: '.' }, /^name: must be a domain name/],
      [{ name: 'native.example.com', masters: ['192.0.2.1'] }, /masters: only a secondary/],
      [{ name: 'ns.example.com', nameservers: ['192.0.2.1'] }, /nameservers\[0\]: must be a host name/],
      [
        { name: 'none.example.com', rrsets: [{ name: '@', type: 'NS', changetype: 'DELETE' }] },
        /^rrsets: the zone none\.example\.com needs NS records/,
      ],
      [
        {
          name: 'off.example.com',
          rrsets: [{ name: '@', type: 'NS', records: [{ content: 'ns1.example.net.', disabled: true }] }],
        },
        /^rrsets: the zone off\.example\.com needs NS records/,
      ],
    ] as const) {
      const [status, code, text] = await refused('POST', '/zones', draft)
      assert.deepEqual([status, code], [400, 'bad_request'], JSON.stringify(draft))
      assert.match(String(text), message)
    }
  })

  test('publishes the records of dns-01 beside others, in zones that it serves alone', async () => {
    const zone = await newZone({ rrsets: [set('_acme-challenge', 'TXT', '"kept"')] })
    const challenges = openChallenges({ tool: panel.tools.powerdns, isEnabled: () => true })
    assert.equal(await challenges.covers(`www.${zone}`), true)
    assert.equal(await challenges.covers('www.example.net'), false)
    const name = `_acme-challenge.${zone}`
    const { signal } = new AbortController()
    await Promise.all(['one', 'two'].map((value) => challenges.publish({ name, value }, signal)))
    assert.deepEqual(await server.dig(name, 'TXT'), ['"kept"', '"one"', '"two"'])
    await Promise.all(['one', 'two'].map((value) => challenges.withdraw({ name, value })))
    assert.deepEqual(await server.dig(name, 'TXT'), ['"kept"'])
    const off = openChallenges({ tool: panel.tools.powerdns, isEnabled: () => false })
    assert.equal(await off.covers(zone), false)
  })

  test('is for superusers, and closed while the plugin is disabled', async () => {
    const someone = await panel.person({ permissions: ['administrative_operations'] })
    assert.equal((await ask('GET', '/zones', undefined, someone)).status, 403)
    await panel.request('POST', '/api/plugins/authdns/disable', { as: panel.admin })
    const [status, code] = await refused('GET', '/zones')
    await panel.request('POST', '/api/plugins/authdns/enable', { as: panel.admin })
    assert.deepEqual([status, code], [403, 'plugin_disabled'])
  })

  test('reads the state and the counters of PowerDNS', async () => {
    await server.dig('none.example.com', 'A')
    const { installed, running, answering, version } = await must('GET', '/status')
    assert.deepEqual([installed, running, answering, version], [true, true, true, '4.7.3'])
    const { zones, udp_queries: queries } = await must('GET', '/stats')
    assert.deepEqual([zones, queries > 0], [(await must('GET', '/zones')).length, true])
  })

  test('says that PowerDNS does not answer, and that it is not set up', async () => {
    const path = `${panel.root}/etc/powerdns/pdns.d/hostreeve.conf`
    const kept = readFileSync(path, 'utf8')
    const config = (await must('GET', '/config')) as object
    assert.deepEqual(config, {
      installed: true,
      api_url: `http://127.0.0.1:${server.apiPort}`,
      api_key: 'key-••••••••rdns',
      server_id: 'localhost',
      db_name: 'powerdns',
    })
    for (const [draft, message] of [
      [{ api_url: 'http://192.0.2.1:8081' }, /^api_url: must be http:\/\/127\.0\.0\.1/],
      [{ api_url: 'http://127.0.0.1:80' }, /^api_url/],
      [{ api_key: 'short' }, /^api_key: must have 16 to 128/],
      [{ server_id: 'other' }, /^server_id/],
    ] as const) {
      const [status, code, text] = await refused('POST', '/config', draft)
      assert.deepEqual([status, code], [400, 'bad_request'])
      assert.match(String(text), message)
    }
    await must('POST', '/config', { api_url: '', api_key: 'key-••••••••rdns' })
    assert.equal(readFileSync(path, 'utf8'), kept)
    writeFileSync(path, kept.replace('api-key=', 'api-key=wrong-'))
    const [status, code] = await refused('GET', '/zones')
    assert.deepEqual([status, code], [502, 'dns_backend_error'])
    rmSync(path)
    assert.equal((await ask('GET', '/zones')).status, 503)
    assert.deepEqual(await must('GET', '/config'), { installed: false })
    const unset = await refused('POST', '/config', { server_id: 'localhost' })
    assert.deepEqual(unset.slice(0, 2), [400, 'bad_request'])
    const { installed, reason } = await must('GET', '/status')
    assert.deepEqual([installed, reason], [false, 'PowerDNS is installed, and not set up by the panel'])
    writeFileSync(path, kept)
  })
})
