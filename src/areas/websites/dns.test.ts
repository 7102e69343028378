import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAddresses } from '../../host/fetch/index.ts'
import { dnsOf } from './dns.ts'

const own = ['127.0.0.1', '::1', 'fe80::1', '10.0.0.5', '9.9.9.7', '2620:fe::7']
const dns = (resolve: () => Promise<readonly string[]>, addresses = own) =>
  dnsOf(openAddresses({ own: () => addresses, resolve }), 'shop.example.com')
const leadsTo =
  (...addresses: string[]) =>
  async () =>
    addresses

test('tells the public addresses of the host for A and AAAA records', async () => {
  const { ipv4, ipv6, is_public } = await dns(leadsTo())
  assert.deepEqual({ ipv4, ipv6, is_public }, { ipv4: ['9.9.9.7'], ipv6: ['2620:fe::7'], is_public: true })
})

test('tells the private addresses of a host that has no public one', async () => {
  const { ipv4, ipv6, is_public } = await dns(leadsTo(), ['127.0.0.1', '192.168.1.5'])
  assert.deepEqual({ ipv4, ipv6, is_public }, { ipv4: ['192.168.1.5'], ipv6: [], is_public: false })
})

test('tells where the name leads, also where one of its addresses is of another host', async () => {
  const states = {
    here: leadsTo('9.9.9.7', '2620:FE:0::7'),
    partly_here: leadsTo('9.9.9.7', '1.1.1.1'),
    elsewhere: leadsTo('1.1.1.1'),
    unresolved: () => Promise.reject(new Error('ENOTFOUND')),
  }
  for (const [state, resolve] of Object.entries(states)) assert.equal((await dns(resolve)).state, state)
})

test('shows no address of the network behind the panel', async () => {
  const { resolves_to, state } = await dns(leadsTo('10.0.0.9', '169.254.169.254', '10.0.0.5'))
  assert.deepEqual({ resolves_to, state }, { resolves_to: ['10.0.0.5'], state: 'here' })
})

test('does not wait longer than its limit for an answer', async (t) => {
  const controller = new AbortController()
  t.mock.method(AbortSignal, 'timeout', () => controller.signal)
  const pending = dns(() => new Promise(() => {}))
  controller.abort()
  assert.equal((await pending).state, 'unresolved')
})
