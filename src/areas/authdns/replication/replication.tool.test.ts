import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../../test/support/panel.ts'
import { poll } from '../../../core/poll.ts'
import { scriptPackages } from '../../../host/testing/scripted-host.ts'
import { type ScratchPowerdns, startPowerdns } from '../../../tools/powerdns/testing/scratch-powerdns.ts'

const openPanelOf = async (server: ScratchPowerdns, settings: string): Promise<TestPanel> => {
  const panel = await openTestPanel({ scripts: [scriptPackages(new Map([['pdns-server', '4.7.3-2']]))] })
  server.serveTo(panel.root)
  const path = `${panel.root}/etc/powerdns/pdns.d/hostreeve.replication.conf`
  writeFileSync(path, `# Written by Hostreeve.\n${settings}`)
  await panel.start()
  return panel
}

describe('replication between two servers', () => {
  let [primary, secondary]: ScratchPowerdns[] = []
  let [first, second]: TestPanel[] = []
  before(async () => {
    primary = await startPowerdns(['primary=yes', 'xfr-cycle-interval=10', 'allow-axfr-ips=127.0.0.0/8,::1'])
    secondary = await startPowerdns(['secondary=yes', 'autosecondary=no'])
    first = await openPanelOf(primary, 'primary=yes\nxfr-cycle-interval=10\nallow-axfr-ips=127.0.0.0/8,::1\n')
    second = await openPanelOf(secondary, 'secondary=yes\nautosecondary=no\n')
  })
  after(async () => {
    await first?.close()
    await second?.close()
    await primary?.stop()
    await secondary?.stop()
  })

  test('makes zones secondary, which are transferred from the primary', async () => {
    const name = 'replicated.example.com'
    const must = async (panel: TestPanel, path: string, body?: object) => {
      const method = body === undefined ? 'GET' : 'POST'
      const answer = await panel.request(method, `/api/authdns${path}`, {
        as: panel.admin,
        ...(body && { body }),
      })
      assert.ok(answer.status < 300, answer.text)
      return answer.data
    }
    const rrsets = [{ name: 'www', type: 'A', records: [{ content: '192.0.2.5' }] }]
    await must(first!, '/zones', { name, rrsets })
    await must(first!, '/replication', { role: 'master' })
    assert.equal((await must(first!, `/zones/${name}`)).kind, 'Master')
    await must(second!, '/zones', { name })
    await must(second!, '/replication', { role: 'slave', master_ip: `127.0.0.1:${primary!.dnsPort}` })
    const isThere = async () => (await secondary!.dig(`www.${name}`, 'A'))[0]
    assert.equal(await poll(isThere, { limitMs: 60_000, everyMs: 200 }), '192.0.2.5')
    const { role, zones } = await must(second!, '/replication')
    assert.deepEqual([role, zones[0].name, zones[0].kind], ['slave', name, 'Slave'])
  })
})
