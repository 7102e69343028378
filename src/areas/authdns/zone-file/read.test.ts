import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordSet } from '../../../tools/powerdns/index.ts'
import { readZoneFile } from './read.ts'
import { writeZoneFile } from './write.ts'

const zone = 'example.com'
const shown = (sets: readonly RecordSet[]) =>
  sets.flatMap(({ name, type, ttl, records }) =>
    records.map(({ content }) => `${name} ${ttl} ${type} ${content}`),
  )
const read = (text: string) => shown(readZoneFile(text, zone))

test('reads origins, times to live, parentheses, comments and names that continue', () => {
  assert.deepEqual(
    read(`$TTL 1h30m ; of all
@ IN SOA ns1 hostmaster (
      2024010101 ; serial
      3h 1h 1w   ; (times)
      1d )
        IN NS ns1
        NS ns2.example.net.
ns1 300 IN A 192.0.2.1
    IN 600 AAAA 2001:DB8:0:0::1
$ORIGIN sub.example.com.
www A 192.0.2.2
@ MX 10 mail
$ORIGIN example.com.
txt TXT "semi; colon" plain "quote \\" \\195\\164"
_sip._tcp SRV 0 5 5060 sip
`),
    [
      'example.com. 5400 SOA ns1.example.com. hostmaster.example.com. 2024010101 10800 3600 604800 86400',
      'example.com. 5400 NS ns1.example.com.',
      'example.com. 5400 NS ns2.example.net.',
      'ns1.example.com. 300 A 192.0.2.1',
      'ns1.example.com. 600 AAAA 2001:db8::1',
      'www.sub.example.com. 5400 A 192.0.2.2',
      'sub.example.com. 5400 MX 10 mail.sub.example.com.',
      'txt.example.com. 5400 TXT "semi; colon" "plain" "quote \\" \\195\\164"',
      '_sip._tcp.example.com. 5400 SRV 0 5 5060 sip.example.com.',
    ],
  )
})

test('reads the parameters of service bindings, with quotes and without', () => {
  const zoneFile = `$TTL 60
www HTTPS 1 . alpn="h2,h3" ech="AEX+DQ==" ; a comment
    HTTPS 2 svc ( port=8443
      key65400="a  b" )
`
  const contents = [
    'www.example.com. 60 HTTPS 1 . alpn=h2,h3 ech="AEX+DQ=="',
    'www.example.com. 60 HTTPS 2 svc.example.com. port=8443 key65400="a  b"',
  ]
  assert.deepEqual(read(zoneFile), contents)
  assert.deepEqual(read(writeZoneFile(zone, readZoneFile(zoneFile, zone))), contents)
  assert.throws(() => read('www 60 HTTPS 1 . "h2"'), /line 1.*alpn=h2/)
})

test('takes the TTL of the record before, or the minimum of the SOA, where there is no $TTL', () => {
  assert.deepEqual(read('@ SOA a b 1 2 3 4 900\nwww A 192.0.2.1\nftp 60 A 192.0.2.2\nns A 192.0.2.3'), [
    'example.com. 900 SOA a.example.com. b.example.com. 1 2 3 4 900',
    'www.example.com. 900 A 192.0.2.1',
    'ftp.example.com. 60 A 192.0.2.2',
    'ns.example.com. 60 A 192.0.2.3',
  ])
})

test('joins the records of a set, with the lowest TTL, and counts copies once', () => {
  assert.deepEqual(read('a 60 A 192.0.2.1\na 30 A 192.0.2.2\nA 60 A 192.0.2.1'), [
    'a.example.com. 30 A 192.0.2.1',
    'a.example.com. 30 A 192.0.2.2',
  ])
})

test('generates records with steps, widths, bases and escaped dollar signs', () => {
  assert.deepEqual(
    read('$TTL 60\n$GENERATE 1-3/2 host${10,4,d} A 192.0.2.$\n$GENERATE 10-10 x${0,2,x} TXT "\\$5 $"'),
    [
      'host0011.example.com. 60 A 192.0.2.1',
      'host0013.example.com. 60 A 192.0.2.3',
      'x0a.example.com. 60 TXT "$5 10"',
    ],
  )
})

for (const [text, message] of [
  ['$INCLUDE /etc/passwd', /line 1: \$INCLUDE is not supported/],
  [
    '$TTL 60\n$GENERATE 1-10000000 h$ A 192.0.2.1',
    /line 2: \$GENERATE makes at most 65536 records, not 10000000/,
  ],
  ['$GENERATE 5-1 h$ 60 A 192.0.2.1', /needs a range/],
  ['$GENERATE 1-2 h${0,99,d} 60 A 192.0.2.1', /takes no/],
  [
    '$TTL 60\n$GENERATE 1-65536 a$ A 192.0.2.1\n$GENERATE 1-65536 b$ A 192.0.2.1\n$GENERATE 1-65536 c$ A 192.0.2.1\n$GENERATE 1-65536 d$ A 192.0.2.1',
    /at most 200000 records/,
  ],
  [
    `$TTL 60\n$GENERATE 1-65536 h$ TXT "${'x'.repeat(60_000)}"`,
    /line 2: the records of a zone file have at most 33554432 characters/,
  ],
  [
    `$TTL 60\n$GENERATE 1-65536 h$ TXT "${'x'.repeat(10 * 1024 * 1024)}"`,
    /line 2: a line has at most 1000000 characters/,
  ],
  [`$TTL 60\n$GENERATE 1-2 h$ TXT "${'${0,63,d}'.repeat(90_000)}"`, /at most 64000 characters/],
  [`a ${'1s'.repeat(400_000)} A 192.0.2.1`, /is not a type/],
  [`a 60 TXT ${'\\x'.repeat(400_000)}`, /at most 64000 characters/],
  ['$TTL -1', /\$TTL: -1 is no time to live/],
  ['$ORDER 1', /\$ORDER is not a directive/],
  ['www -1 A 192.0.2.1', /line 1: -1 is not a type/],
  ['www A 192.0.2.1', /no time to live/],
  ['  60 A 192.0.2.1', /first record has no name/],
  ['www 60 CH A 192.0.2.1', /the class CH is not served/],
  ['www 60 A 192.0.2.1.1', /line 1: must be an IPv4/],
  ['\n\nwww 60 A ( 192.0.2.1', /line 3: a parenthesis is not closed/],
  ['www 60 A )', /a parenthesis is closed/],
  ['www 60 TXT "open', /a quote is not closed/],
  ['a\\.b 60 A 192.0.2.1', /no name with the escape/],
  ['other.example.net. 60 A 192.0.2.1', /is not in the zone/],
  [`${'x'.repeat(64)} 60 A 192.0.2.1`, /at most 63/],
  ['www 60 TYPE65534 \\# 1 00', /is not a type/],
  ['www 60', /has no type/],
] as const)
  test(`refuses ${text.slice(0, 40).trim()}, with its line`, () => {
    assert.throws(
      () => readZoneFile(text, zone),
      (error: Error) => {
        assert.match(error.message, /^bind_data: line \d+: /)
        assert.match(error.message, message)
        return true
      },
    )
  })

/** A generator with a fixed seed: the same zones in each run. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('reads what it has written, whatever the texts contain', () => {
  const next = random(7)
  const byte = () => `\\${String(next(256)).padStart(3, '0')}`
  for (let round = 0; round < 200; round += 1) {
    const sets = Array.from({ length: 1 + next(20) }, (_, at): RecordSet => {
      const raw = Array.from({ length: next(40) }, byte).join('')
      const [name, ttl] = [`n${at}.example.com.`, next(100_000)]
      const text = readZoneFile(`n${at} ${ttl} TXT "${raw}"`, zone)[0]!.records
      return next(2) === 0
        ? { name, ttl, type: 'TXT', records: text }
        : { name, ttl, type: 'A', records: [{ content: `192.0.2.${next(256)}`, disabled: false }] }
    })
    assert.deepEqual(shown(readZoneFile(writeZoneFile(zone, sets), zone)).toSorted(), shown(sets).toSorted())
  }
})
