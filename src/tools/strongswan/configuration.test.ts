import assert from 'node:assert/strict'
import { test } from 'node:test'
import { childIn, renderTunnel, type Tunnel, withoutSecret } from './configuration.ts'
import { sampleTunnel } from './testing/sample-tunnel.ts'

const render = (set: Partial<Tunnel> = {}) => renderTunnel({ ...sampleTunnel, ...set })

test('renders networks, proposals and lifetimes as swanctl.conf(5) has them', () => {
  const text = render()
  for (const line of [
    'version = 2',
    'local_addrs = 192.0.2.1',
    'remote_addrs = 192.0.2.2',
    'proposals = aes256-sha256-modp2048,aes256gcm16-prfsha384-modp2048',
    'esp_proposals = aes256-sha256-modp2048,aes256gcm16-modp2048',
    'local_ts = 10.1.0.0/16',
    'remote_ts = 10.2.0.0/16',
    'rekey_time = 86400s',
    'rand_time = 360s',
    'replay_window = 32',
    'id = "192.0.2.1"',
  ])
    assert.ok(text.includes(` ${line}\n`), line)
  assert.equal(childIn(text), 'hostreeve-7-0a1b2c3d')
})

test('leaves out what a tunnel does not have', () => {
  const text = render({ isBound: false, localSubnet: null, remoteSubnet: null, hasPfs: false })
  assert.doesNotMatch(text, /local_addrs/)
  assert.match(
    text,
    /local_ts = dynamic\n +remote_ts = dynamic\n +esp_proposals = aes256-sha256,aes256gcm16\n/,
  )
  assert.match(render({ detectsReplay: false }), /replay_window = 0\n/)
})

test('keeps any secret within one word, and shows none', () => {
  for (const secret of ['"}\nsecrets { x { secret = "', "it's # a {secret}", 'ünïcödé\\"']) {
    const text = render({ secret })
    const [, encoded = ''] = /^ +secret = 0s([A-Za-z0-9+/=]+)$/m.exec(text) ?? []
    assert.equal(Buffer.from(encoded, 'base64').toString(), secret)
    assert.ok(!withoutSecret(text).includes(encoded))
  }
})

test('quotes identities, and refuses what no quotes contain', () => {
  assert.match(render({ remoteId: 'C=DE, O="a } b", CN=\\x' }), /id = "C=DE, O=\\"a \} b\\", CN=\\\\x"\n/)
  assert.throws(() => render({ remoteId: 'a\nb' }), /unexpected form/)
  assert.throws(() => render({ remoteAddress: '192.0.2.2 }' }), /unexpected form/)
  assert.throws(() => render({ remoteSubnet: '10.0.0.0/8\n' }), /unexpected form/)
})
