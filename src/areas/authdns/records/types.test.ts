import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { recordContent } from './types.ts'

const inForm = (type: string, content: string) =>
  recordContent(type, content, { zone: 'a.test', field: 'content' })

describe('the data of a service binding', () => {
  it('has quotes where PowerDNS writes quotes, and its parameters in the order of their keys', () => {
    const long = 'A'.repeat(1600)
    for (const [typed, wanted] of [
      ['1 . ech=AEX+DQ==', '1 . ech="AEX+DQ=="'],
      ['1 . ech="AEX+DQ=="', '1 . ech="AEX+DQ=="'],
      [`1 . ech=${long}`, `1 . ech="${long}"`],
      ['1 . key65400=a=b', '1 . key65400="a=b"'],
      ['1 . key65400=', '1 . key65400=""'],
      ['1 . key65400="a  b" key65401="c"', '1 . key65400="a  b" key65401="c"'],
      ['1   svc  alpn="h2"   ech="AAAB"', '1 svc.a.test. alpn=h2 ech="AAAB"'],
      ['1 . mandatory="alpn,port" alpn="h2,h3" port="443"', '1 . mandatory=alpn,port alpn=h2,h3 port=443'],
      ['1 . ipv4hint="192.0.2.1" ipv6hint="2001:DB8::1"', '1 . ipv4hint=192.0.2.1 ipv6hint=2001:db8::1'],
      ['1 . alpn="a b"', '1 . alpn="a b"'],
      ['1 . alpn=h2 no-default-alpn', '1 . alpn=h2 no-default-alpn'],
      ['0 b.test.', '0 b.test.'],
      ['1 . port=443 no-default-alpn alpn=h2', '1 . alpn=h2 no-default-alpn port=443'],
      ['1 . mandatory=port,alpn port=443 alpn=h2', '1 . mandatory=alpn,port alpn=h2 port=443'],
      ['1 . key10="a=b" key9="c" ipv6hint=::1', '1 . ipv6hint=::1 key9="c" key10="a=b"'],
      ['1 . key5="AAAB" unknown="a" port=1', '1 . port=1 key5="AAAB" unknown="a"'],
    ] as const)
      for (const type of ['HTTPS', 'SVCB']) assert.equal(inForm(type, typed), wanted)
  })

  it('has the escapes of PowerDNS in a value, whichever were written', () => {
    for (const [typed, wanted] of [
      ['key65400="a\\"b"', 'key65400="a\\"b"'],
      ['key65400=a\\"b', 'key65400="a\\"b"'],
      ['key65400=\\098\\001', 'key65400="b\\001"'],
      ['key65400="\\c\\\\"', 'key65400="c\\\\"'],
      ['key65400="ä"', 'key65400="\\195\\164"'],
    ] as const)
      assert.equal(inForm('SVCB', `1 . ${typed}`), `1 . ${wanted}`)
  })

  it('is refused where quotes or backslashes leave the value open', () => {
    for (const [typed, message] of [
      ['key65400="a', /^content: a quote is not closed/],
      ['key65400=a"b', /^content: a quote is not closed/],
      ['key65400="a"b', /^content: the value of a parameter is in quotes as a whole/],
      ['key65400=a"b"', /^content: the value of a parameter is in quotes as a whole/],
      ['key65400="a""b"', /^content: the value of a parameter is in quotes as a whole/],
      ['key65400=a\\ port=443', /^content: a backslash has no character after it/],
      ['key65400=a\\', /^content: a backslash has no character after it/],
      ['key65400=\\300', /^content: \\300 is no byte/],
    ] as const)
      assert.throws(() => inForm('SVCB', `1 . ${typed}`), { message })
    assert.throws(() => inForm('HTTPS', '1'), { message: /^content: must have the form 1 \. alpn=h2/ })
  })
})

describe('an IPv6 address that embeds an IPv4 address', () => {
  it('is dotted in hints and gateways, and hexadecimal in an AAAA, as PowerDNS takes each', () => {
    for (const typed of ['::FFFF:192.0.2.1', '::ffff:c000:201']) {
      assert.equal(inForm('AAAA', typed), '::ffff:c000:201')
      assert.equal(inForm('HTTPS', `1 . ipv6hint=${typed},::1`), '1 . ipv6hint=::ffff:192.0.2.1,::1')
      assert.equal(inForm('IPSECKEY', `10 2 2 ${typed} AAAB`), '10 2 2 ::ffff:192.0.2.1 AAAB')
    }
    assert.equal(inForm('SVCB', '1 . ipv6hint=::c000:201'), '1 . ipv6hint=::192.0.2.1')
    assert.equal(inForm('IPSECKEY', '10 2 2 ::c000:201 AAAB'), '10 2 2 ::192.0.2.1 AAAB')
  })
})

describe('the data of a LOC record', () => {
  it('has each field and each size, as PowerDNS writes them', () => {
    for (const [typed, wanted] of [
      ['52 22 23 N 4 53 32 E -2m', '52 22 23.000 N 4 53 32.000 E -2.00m 1.00m 10000.00m 10.00m'],
      ['52 22 n 4 w 0', '52 22 0.000 N 4 0 0.000 W 0.00m 1.00m 10000.00m 10.00m'],
      ['05 6 7.5 S  4 53 2.25 E 100 30m 20', '5 6 7.500 S 4 53 2.250 E 100.00m 30.00m 20.00m 10.00m'],
      [
        '52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000.00m 10.00m',
        '52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000.00m 10.00m',
      ],
    ] as const)
      assert.equal(inForm('LOC', typed), wanted)
  })

  it('is refused where it is nowhere on Earth', () => {
    for (const typed of [
      '91 N 4 E 0',
      '90 0 0.001 N 4 E 0',
      '52 60 N 4 E 0',
      '52 N 4 0 60 E 0',
      '52 N 180 1 W 0',
    ])
      assert.throws(() => inForm('LOC', typed), { message: /^content: the latitude is at most 90 degrees/ })
    assert.match(inForm('LOC', '90 S 180 W 0'), /^90 0 0\.000 S 180 0 0\.000 W /)
  })

  it('is left to PowerDNS where it is none', () => {
    for (const typed of ['nowhere', '52 N 4 E', '52 N 4 N 0m', '52 N 4 E 1.234m', '52 N 4 E 0m 1m 1m 1m 1m'])
      assert.equal(inForm('LOC', typed), typed)
  })
})

describe('base64 in several parts', () => {
  it('is one, as PowerDNS writes it', () => {
    for (const [type, typed, wanted] of [
      ['CDNSKEY', '257 3  13 AAAB AAAC AAAD', '257 3 13 AAABAAACAAAD'],
      ['CERT', '1 2 3 AAAB  AAAC', '1 2 3 AAABAAAC'],
      ['DHCID', 'AAAB AAAC', 'AAABAAAC'],
      ['OPENPGPKEY', 'AAAB AAAC AAAD', 'AAABAAACAAAD'],
      ['IPSECKEY', '10 1 2 192.0.2.1 AAAB AAAC', '10 1 2 192.0.2.1 AAABAAAC'],
      ['IPSECKEY', '10  2 2 2001:DB8::1 AAAB AAAC', '10 2 2 2001:db8::1 AAABAAAC'],
      ['CERT', '1 2 3', '1 2 3'],
    ] as const)
      assert.equal(inForm(type, typed), wanted)
  })
})
