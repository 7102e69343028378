import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { type AddressOptions, openAddresses } from './addresses.ts'
import { AddressRefused, HostNotFound } from './problems.ts'
import { isInternal, rangesOf } from './ranges.ts'

const everybody = { isAdmin: false }
const superuser = { isAdmin: true }
const names: Readonly<Record<string, readonly string[]>> = {
  'public.test': ['192.0.2.10', '2001:db8::10'],
  'inside.test': ['10.0.0.5'],
  'both.test': ['127.0.0.1', '192.0.2.11'],
  'mapped.test': ['::ffff:10.0.0.5'],
  'empty.test': [],
}
const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), { syscall: 'getaddrinfo' })
const open = (options: AddressOptions = {}) =>
  openAddresses({
    resolve: async (name) => names[name] ?? Promise.reject(unknown),
    own: () => ['192.0.2.99', '2001:db8::99'],
    ...options,
  })
const isOf = (kind: unknown) => (error: unknown) => error instanceof Problem && error.kind === kind

describe('the addresses that callers may reach', () => {
  it('are resolved once and pinned', async () => {
    const asked: string[] = []
    const addresses = open({ resolve: async (name) => (asked.push(name), ['192.0.2.10']) })
    assert.deepEqual(await addresses.resolveAllowed('public.test', 443, everybody), {
      host: 'public.test',
      port: 443,
      address: '192.0.2.10',
      family: 4,
    })
    assert.deepEqual(asked, ['public.test'])
  })

  it('may be IPv6, in brackets or without', async () => {
    for (const host of ['[2001:db8::1]', '2001:db8::1'])
      assert.equal((await open().resolveAllowed(host, 80, everybody)).address, '2001:db8::1')
  })

  it('exclude internal ones, by address or by name, for callers who are not superusers', async () => {
    for (const host of [
      '127.0.0.1',
      '::1',
      '10.0.0.5',
      'inside.test',
      'mapped.test',
      '169.254.169.254',
      '::ffff:127.0.0.1',
      '64:ff9b::7f00:1',
      '0.0.0.0',
    ])
      await assert.rejects(open().resolveAllowed(host, 80, everybody), isOf(AddressRefused), host)
    assert.equal((await open().resolveAllowed('inside.test', 80, superuser)).address, '10.0.0.5')
  })

  it('do not disclose the address of an internal name', async () => {
    await assert.rejects(
      open().resolveAllowed('inside.test', 80, everybody),
      (error: Error) => !error.message.includes('10.0.0.5'),
    )
  })

  it('include only the public one of a name that also has an internal one', async () => {
    assert.equal((await open().resolveAllowed('both.test', 80, everybody)).address, '192.0.2.11')
  })

  it('exclude the host’s own, in any notation', async () => {
    for (const host of ['192.0.2.99', '2001:db8:0:0::99', '::ffff:192.0.2.99'])
      await assert.rejects(open().resolveAllowed(host, 80, everybody), isOf(AddressRefused), host)
  })

  it('include internal ones that the configuration allows', async () => {
    const addresses = open({ allow: ['10.0.0.0/30', '10.0.0.5', 'fd00::/8'] })
    for (const host of ['10.0.0.3', 'inside.test', 'fd00::1'])
      await addresses.resolveAllowed(host, 80, everybody)
    await assert.rejects(addresses.resolveAllowed('10.0.0.6', 80, everybody), isOf(AddressRefused))
  })

  it('name the host that does not resolve', async () => {
    for (const host of ['unknown.test', 'empty.test'])
      await assert.rejects(
        open().resolveAllowed(host, 80, superuser),
        (error) => isOf(HostNotFound)(error) && String(error).includes(host),
      )
  })

  it('have a host name and a port', async () => {
    for (const [host, port] of [
      ['-oProxyCommand=x', 22],
      ['a b', 22],
      ['', 22],
      ['public.test', 0],
      ['public.test', 65_536],
    ] as const)
      await assert.rejects(
        open().resolveAllowed(host, port, superuser),
        isOf(AddressRefused),
        `${host} ${port}`,
      )
  })

  it('are abandoned when the caller disconnects', async () => {
    const ending = new AbortController()
    const asked = open({ resolve: () => new Promise(() => {}) }).resolveAllowed(
      'slow.test',
      80,
      everybody,
      ending.signal,
    )
    ending.abort(new Error('went away'))
    await assert.rejects(asked, /went away/)
  })

  it('are named with their request field when invalid', async () => {
    for (const [host, port] of [
      ['-x', 80],
      ['public.test', 0],
    ] as const)
      await assert.rejects(
        open().resolveAllowed(host, port, everybody),
        (error) => error instanceof Error && error.message.startsWith('url: '),
      )
  })
})

describe('ranges of addresses', () => {
  it('distinguish internal addresses from public ones', () => {
    const inside = [
      '127.9.9.9',
      '172.31.255.255',
      '100.64.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '168.63.129.16',
      '::',
      'fe80::1',
      'fe80::1%eth0',
    ]
    const wrapped = [
      '::ffff:a00:1',
      '::ffff:0:10.0.0.1',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b:1::1',
      '2002:7f00:1::',
      '2001::1',
      '::7f00:1',
      'ff02::1',
      'fec0::1',
    ]
    const outside = [
      '192.0.2.1',
      '172.32.0.1',
      '100.128.0.1',
      '2001:db8::1',
      '::ffff:192.0.2.1',
      '64:ff9b::c000:201',
      '2002:c000:201::',
    ]
    for (const address of [...inside, ...wrapped]) assert.equal(isInternal(address), true, address)
    for (const address of outside) assert.equal(isInternal(address), false, address)
  })

  it('are refused when invalid', () => {
    for (const text of [
      '',
      '10.0.0.0/33',
      '10.0.0',
      'fd00::/129',
      '10.0.0.0/8/8',
      '10.0.0.0/',
      'fe80::1%eth0',
      'ten',
    ])
      assert.throws(() => rangesOf([text]), RangeError, text)
  })
})
