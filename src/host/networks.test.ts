import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { canonicalAddress, hasHostBits, isWithin, parseNetwork, textOf, withoutNested } from './networks.ts'

describe('networks', () => {
  it('are left out where others contain them', () => {
    const networks = ['192.0.2.7', '192.0.2.0/24', '2001:db8::1', '::/0'].flatMap(
      (text) => parseNetwork(text) ?? [],
    )
    assert.deepEqual(withoutNested(networks).map(textOf), ['192.0.2.0/24', '::/0'])
  })

  it('are compared also a thousand of them', () => {
    const networks = Array.from({ length: 1000 }, (_, index) => `10.${index >> 8}.${index & 255}.0/24`)
    const all = [...networks, ...networks, '::ffff:10.0.0.0'].flatMap((text) => parseNetwork(text) ?? [])
    assert.equal(withoutNested(all).length, 1000)
  })

  it('have addresses in one spelling', () => {
    assert.equal(canonicalAddress('2001:DB8:0:0::00Ff'), '2001:db8::ff')
    for (const text of ['2001:db8::ff', '192.0.2.1', '::ffff:192.0.2.1', '2001:DB8::/32', 'Shop', ''])
      assert.equal(canonicalAddress(text), text)
  })

  it('are read with their prefix, and told from those with host bits', () => {
    for (const text of ['192.0.2.1', '192.0.2.0/24', '2001:db8::/32', '::/0', '::ffff:192.0.2.1'])
      assert.equal(hasHostBits(parseNetwork(text)!), false, text)
    for (const text of ['192.0.2.1/24', '2001:db8::1/64', '1::/0', '::ffff:192.0.2.1/127'])
      assert.equal(hasHostBits(parseNetwork(text)!), true, text)
    for (const text of [
      '',
      'x',
      '192.0.2.1/33',
      '192.0.2.1/024',
      '::1/129',
      '1.2.3',
      'fe80::1%eth0',
      '1.2.3.4/8/8',
    ])
      assert.equal(parseNetwork(text), undefined, text)
  })

  it('contain addresses, also those of IPv4 within IPv6', () => {
    assert.ok(isWithin('::ffff:127.0.0.1', ['127.0.0.0/8']))
    assert.ok(isWithin('2001:db8::7', ['192.0.2.0/24', '2001:db8::/32']))
    assert.ok(!isWithin('192.0.3.1', ['192.0.2.0/24']))
    assert.ok(!isWithin('local', ['0.0.0.0/0']))
  })
})
