import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { networkOf, openAttemptCounts } from './attempt-counts.ts'

describe('attempt counts', () => {
  it('count by key in a window that begins with the first attempt', () => {
    const counts = openAttemptCounts(60_000)
    counts.add('a', 1000)
    counts.add('a', 31_000)
    assert.deepEqual(counts.read('a', 51_000), { count: 2, endsInMs: 10_000 })
    assert.deepEqual(counts.read('b', 51_000), { count: 0, endsInMs: 0 })
    assert.equal(counts.read('a', 61_000).count, 0)
  })

  it('take back an attempt that succeeded', () => {
    const counts = openAttemptCounts(60_000)
    const forgive = counts.add('a', 0)
    counts.add('a', 0)
    forgive()
    assert.equal(counts.read('a', 1).count, 1)
  })

  it('keep at most 100,000 keys, and drop the oldest', () => {
    const counts = openAttemptCounts(60_000)
    for (let key = 0; key <= 100_000; key++) counts.add(`key ${key}`, key / 10_000)
    assert.deepEqual(
      ['key 0', 'key 1', 'key 100000'].map((key) => counts.read(key, 10).count),
      [0, 1, 1],
    )
  })
})

describe('the network of an address', () => {
  it('is the address of IPv4, and the /64 of IPv6 however it is written', () => {
    const networks: Readonly<Record<string, string>> = {
      '192.0.2.7': '192.0.2.7',
      '::ffff:192.0.2.7': '192.0.2.7',
      '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
      '2001:0db8:0001:0002::9': '2001:db8:1:2::/64',
      '2001:db8::9': '2001:db8:0:0::/64',
      'fe80::1%eth0': 'fe80:0:0:0::/64',
      '::1': '0:0:0:0::/64',
    }
    for (const [address, network] of Object.entries(networks)) assert.equal(networkOf(address), network)
  })
})
