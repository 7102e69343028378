import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexBounds, parseNetwork } from '../../../host/networks.ts'
import { mmdb } from '../../powerdns/testing/mmdb.ts'
import { readCountryFile } from './country-file.ts'

const built = new Date('2026-01-02T03:04:05Z')
const networks = {
  '192.0.2.0/24': 'DE',
  '192.0.3.0/24': 'DE',
  '198.51.100.0/25': 'FR',
  '2001:db8::/32': 'DE',
  '2001:dba::/33': 'FR',
}
const bytes = mmdb(networks, built)
const hex = (text: string) => hexBounds(parseNetwork(text)!).first

test('tells when it was built, and the country of an address', () => {
  const file = readCountryFile(bytes)!
  assert.deepEqual(file.builtAt, built)
  const of = (address: string) => file.countryOf(hex(address))
  assert.deepEqual(['192.0.2.7', '192.0.3.255', '192.0.4.0', '198.51.100.127', '198.51.100.128'].map(of), [
    'DE',
    'DE',
    undefined,
    'FR',
    undefined,
  ])
  assert.deepEqual(['2001:db8:ffff::', '2001:dba::1', '2001:dba:8000::', '::192.0.2.7', '::'].map(of), [
    'DE',
    'FR',
    undefined,
    'DE',
    undefined,
  ])
})

test('gives the ranges of countries in order, with those that touch as one', async () => {
  const found = await readCountryFile(bytes)!.rangesOf(new Set(['DE', 'XX', '*']))
  assert.deepEqual(found.get('DE'), {
    v4: 'c0000200c00003ff',
    v6: `20010db8${'0'.repeat(24)}20010db8${'f'.repeat(24)}`,
  })
  assert.deepEqual(found.get('XX'), { v4: '', v6: '' })
  assert.equal(found.get('*')?.v4, 'c0000200c00003ffc6336400c633647f')
  assert.equal(found.get('*')?.v6.length, 4 * 32)
})

test('is none if it is another file, cut off or leads in circles', async () => {
  assert.equal(readCountryFile(Buffer.from('nonsense')), undefined)
  assert.equal(readCountryFile(Buffer.alloc(0)), undefined)
  for (let cut = 1; cut < bytes.length; cut += 13) {
    const file = readCountryFile(bytes.subarray(0, bytes.length - cut))
    assert.equal(file, undefined, `${cut} bytes less`)
  }
  const circular = Buffer.from(bytes)
  circular.writeUIntBE(0, 3, 3) // the right side of the first node
  await assert.rejects(readCountryFile(circular)!.rangesOf(new Set(['DE'])), RangeError)
})
