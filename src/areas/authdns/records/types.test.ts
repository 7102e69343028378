import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { recordContent } from './types.ts'

const inForm = (type: string, content: string) =>
  recordContent(type, content, { zone: 'a.test', field: 'content' })

describe('the data of a service binding', () => {
  it('has quotes around the values that PowerDNS writes in quotes, and around no others', () => {
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
