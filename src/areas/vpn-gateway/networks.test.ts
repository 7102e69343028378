import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertNameserver, readNodeAddress, readRoute, readSubnet, renumbered } from './networks.ts'

describe('networks of the mesh', () => {
  test('a route must be a network without host bits, and not the internet', () => {
    assert.equal(readRoute('10.1.0.0/16', 'routes.0'), '10.1.0.0/16')
    assert.equal(readRoute('FD00:1:0::/64', 'routes.0'), 'fd00:1::/64')
    assert.throws(() => readRoute('10.1.2.3/16', 'routes.0'), /routes\.0: .* 10\.1\.0\.0\/16 is the network/)
    assert.throws(() => readRoute('fd00:1::5/64', 'routes.0'), /fd00:1::\/64 is the network/)
    assert.throws(() => readRoute('0.0.0.0/0', 'routes.1'), /routes\.1: .* set exit_node/)
    assert.throws(() => readRoute('10.1.0.0/33', 'routes.0'), /not a network/)
    for (const text of ['127.0.0.0/8', '0.0.0.0/1', '169.254.0.0/16', '239.0.0.0/8', '::1/128', 'fe80::/64'])
      assert.throws(() => readRoute(text, 'routes.0'), /not a network that is reached through a node/, text)
  })

  test('a DNS server has an address of its own', () => {
    for (const text of ['9.9.9.9', '127.0.0.1', '2620:fe::fe']) assertNameserver(text, 'nameservers.0')
    for (const text of ['0.0.0.0', '::', '224.0.0.1', 'ff02::1', '255.255.255.255', 'dns.example.com'])
      assert.throws(() => assertNameserver(text, 'nameservers.0'), /nameservers\.0: .* of a DNS server/, text)
  })

  test('the mesh has a network within the one that tailscale takes', () => {
    assert.equal(readSubnet('100.80.0.0/16'), '100.80.0.0/16')
    assert.equal(readSubnet('100.115.92.0/22'), '100.115.92.0/22')
    for (const [text, why] of [
      ['0.0.0.0/0', /within 100\.64\.0\.0\/10/],
      ['10.0.0.0/8', /within/],
      ['100.0.0.0/8', /within/],
      ['100.64.0.1/16', /bits after its prefix/],
      ['100.64.0.0/30', /too small/],
      ['100.100.100.0/28', /not be within 100\.100\.100\.0\/24/],
      ['100.115.92.0/23', /not be within/],
      ['fd7a::/64', /within/],
    ] as const)
      assert.throws(() => readSubnet(text), why, text)
  })

  test('an address must be free, in the network, and not one of those that are kept', () => {
    const at = { subnet: '100.64.0.0/24', taken: new Set(['100.64.0.2']) }
    assert.deepEqual(readNodeAddress('100.64.0.9', at), { family: 'ipv4', address: '100.64.0.9' })
    assert.deepEqual(readNodeAddress('FD7A:115C:A1E0:0::9', at), {
      ...{ family: 'ipv6', address: 'fd7a:115c:a1e0::9' },
    })
    for (const [text, why] of [
      ['100.64.0.2', /another node/],
      ['100.64.1.2', /must be in 100\.64\.0\.0\/24/],
      ['100.64.0.0', /first or last/],
      ['100.64.0.255', /first or last/],
      ['fd00::1', /must be in fd7a/],
      ['100.64.0.999', /not an address/],
    ] as const)
      assert.throws(() => readNodeAddress(text, at), why, text)
    assert.throws(() => readNodeAddress('100.100.100.100', { ...at, subnet: '100.64.0.0/10' }), /kept/)
  })

  test('nodes keep their last bits in another network where these are free', () => {
    const nodes = [
      { id: 1, ipv4: '100.64.0.5' },
      { id: 2, ipv4: '100.64.1.5' },
      { id: 3, ipv4: '100.64.0.0' },
    ]
    assert.deepEqual(
      [...renumbered(nodes, '100.70.0.0/24')],
      [
        [1, '100.70.0.5'],
        [2, '100.70.0.1'],
        [3, '100.70.0.2'],
      ],
    )
    const many = Array.from({ length: 15 }, (_, id) => ({ id, ipv4: `100.64.0.${id}` }))
    assert.throws(() => renumbered(many, '100.70.0.0/28'), /fewer addresses/)
  })
})
