import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RecordSet, Zone } from '../../../tools/powerdns/index.ts'
import type { ManifestZone } from '../manifest-model.ts'
import { decideZones } from './zones.ts'

const set = (name: string, type: string, content: string, ttl = 3600): RecordSet => ({
  ...{ name, type, ttl },
  records: [{ content, disabled: false }],
})

/** Decides on a zone `a.test` of a PowerDNS that has some record sets, or not the zone. */
async function decide(sets: readonly RecordSet[] | undefined, zone: Partial<ManifestZone>, prune = false) {
  const present = sets && ({ name: 'a.test', kind: 'Native', masters: [], sets } as unknown as Zone)
  const tool = {
    readApiSettings: async () => ({}),
    readZone: async () => present,
    readZoneFacts: async () => present,
    readNames: async (_zone: string, names: readonly string[]) =>
      (sets ?? []).filter(({ name }) => names.includes(name)),
    steps: { setRecords: { name: 'records' }, setZone: { name: 'zone' } },
  }
  const authdns = { isEnabled: () => true, tool, replication: { find: async () => undefined } }
  const manifest = { version: 1, zones: [{ name: 'a.test', ...zone }] }
  const { operations, changes } = await decideZones(
    { authdns } as unknown as Parameters<typeof decideZones>[0],
    { input: { manifest, prune } } as unknown as Parameters<typeof decideZones>[1],
  )
  return {
    done: operations.map(({ action, object, details }) => [action, object, ...details].join(' ')),
    steps: changes.flatMap(({ steps }) => steps.map(({ args }) => args)),
  }
}

describe('the zones of a manifest', () => {
  it('replace addresses by a CNAME with prune, and it by addresses', async () => {
    const address = set('www.a.test.', 'A', '192.0.2.1')
    const alias = set('www.a.test.', 'CNAME', 'b.test.')
    for (const [from, to] of [
      [address, alias],
      [alias, address],
    ] as const) {
      const { done, steps } = await decide([from], { rrsets: [{ ...to, records: [...to.records] }] }, true)
      assert.deepEqual(done, [
        'change zone a.test 1 record set',
        `delete www.a.test. ${from.type} of zone a.test`,
      ])
      assert.deepEqual(steps, [{ zone: 'a.test', sets: [to, { ...from, records: [] }] }])
      await assert.rejects(decide([from], { rrsets: [{ ...to, records: [...to.records] }] }), /CNAME/)
    }
  })

  it('keep the time to live of a set that names none', async () => {
    const present = set('www.a.test.', 'A', '192.0.2.1', 60)
    const same = { name: 'WWW', type: 'a', records: [{ content: '192.0.2.1' }] }
    assert.deepEqual((await decide([present], { rrsets: [same] })).done, [])
    const { steps } = await decide([present], { rrsets: [{ ...same, records: [{ content: '192.0.2.2' }] }] })
    assert.deepEqual(steps, [{ zone: 'a.test', sets: [set('www.a.test.', 'A', '192.0.2.2', 60)] }])
  })

  it('do nothing with sets that others wrote, as they are exported', async () => {
    const sets = [
      set('www.a.test.', 'AAAA', '2001:db8:0:0:0:0:0:1'),
      set('a.test.', 'TXT', '"v=spf1\\; -all"'),
      set('a.test.', 'HTTPS', '1 B.Test. alpn="h2"'),
    ]
    const rrsets = sets.map(({ records, ...rest }) => ({ ...rest, records: [...records] }))
    assert.deepEqual((await decide(sets, { rrsets }, true)).done, [])
  })

  it('refuse record sets for a new Slave, as for one that exists', async () => {
    const rrsets = [{ name: 'www', type: 'A', records: [{ content: '192.0.2.1' }] }]
    const zone = { kind: 'Slave' as const, masters: ['192.0.2.9'] }
    await assert.rejects(decide(undefined, { ...zone, rrsets }), /zones\[0\]\.rrsets: the records of a Slave/)
    assert.deepEqual((await decide(undefined, zone)).done, ['create zone a.test'])
  })
})
