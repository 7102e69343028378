import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ReplicationDraft } from './model.ts'
import { directivesOf, hostOf, settingsOf } from './settings.ts'

const refused: readonly (readonly [ReplicationDraft, RegExp])[] = [
  [{ role: 'slave' }, /^master_ip: a slave needs/],
  [{ role: 'slave', master_ip: '192.0.2.1:0' }, /^master_ip: must be/],
  [{ role: 'slave', master_ip: 'fe80::1%eth0' }, /^master_ip: must be/],
  [{ role: 'slave', master_ip: '192.0.2.1', autosecondary: true }, /^nameserver: /],
  [{ role: 'master', allow_axfr_ips: ['192.0.2.0/33'] }, /^allow_axfr_ips\[0\]: must be/],
  [{ role: 'master', allow_axfr_ips: ['192.0.2.1', '300.0.2.1'] }, /^allow_axfr_ips\[1\]: /],
  [{ role: 'master', also_notify: ['ns2'] }, /^also_notify\[0\]: /],
]

describe('replication settings', () => {
  for (const [draft, message] of refused)
    it(`refuse ${JSON.stringify(draft)}`, () => assert.throws(() => settingsOf(draft), { message }))

  it('become settings of PowerDNS', () => {
    const master = settingsOf({
      role: 'master',
      allow_axfr_ips: ['192.0.2.0/24'],
      also_notify: ['192.0.2.2:5300'],
    })
    assert.deepEqual(directivesOf(master), [
      ['primary', 'yes'],
      ['xfr-cycle-interval', '10'],
      ['allow-axfr-ips', '127.0.0.0/8,::1,192.0.2.0/24'],
      ['also-notify', '192.0.2.2:5300'],
    ])
    assert.deepEqual(directivesOf(settingsOf({ role: 'native', master_ip: '192.0.2.1' })), [])
  })

  it('take an address with a port', () => {
    assert.deepEqual(['192.0.2.1:5300', '[2001:db8::1]:53', '2001:db8::1', '192.0.2.1'].map(hostOf), [
      ...['192.0.2.1', '2001:db8::1', '2001:db8::1', '192.0.2.1'],
    ])
  })
})
