import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountHost } from './hosts.ts'

for (const [given, host = given] of [
  ['localhost'],
  ['%'],
  ['192.0.2.%'],
  ['%.2.7'],
  ['192.0.2.7'],
  ['::1'],
  ['2001:DB8::7', '2001:db8::7'],
  ['192.0.2.0/255.255.255.0'],
  ['App-1.Example.com', 'app-1.example.com'],
])
  test(`accepts the host ${given}`, () => assert.equal(accountHost(given ?? ''), host))

for (const host of [
  ...["'", '%.evil.test', 'evil.%', 'a_b.test', '-a.test', 'a..b', '...', '.', 'a b', '"', '`', '\\', '@'],
  ...['192.0.2.7/255.255.255.0', '192.0.2.0/255.0.255.0', '192.0.2.0/24', '192.0.2.0/255.255.255.0/1'],
  ...['a'.repeat(64), 'münchen.test'],
])
  test(`refuses the host ${host}`, () =>
    assert.throws(() => accountHost(host), { message: /^host: .* must be a host name/s }))
