import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { scriptPackages } from '../../host/testing/scripted-host.ts'
import { type ScratchPowerdns, startPowerdns } from '../../tools/powerdns/testing/scratch-powerdns.ts'

describe('DNS zones', () => {
  let server: ScratchPowerdns
  let panel: TestPanel
  before(async () => {
    server = await startPowerdns()
    const installed = new Map([['pdns-server', '4.7.3-2']])
    panel = await openTestPanel({ scripts: [scriptPackages(installed)] })
    server.serveTo(panel.root)
    await panel.start()
  })
  after(async () => {
    await panel.close()
    await server.stop()
  })

  const ask = (method: string, path: string, body?: unknown, as = panel.admin) =>
    panel.request(method, `/api/authdns${path}`, { as, ...(body !== undefined && { body }) })
  const must = async (method: string, path: string, body?: unknown) => {
    const { status, data, text } = await ask(method, path, body)
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`)
    return data
  }
  const refused = async (method: string, path: string, body?: unknown) => {
    const { status, error } = await ask(method, path, body)
    return [status, error?.code, error?.message]
  }
  let made = 0
  const newZone = async (more: object = {}) => {
    made += 1
    const name = `zone${made}.example.com`
    await must('POST', '/zones', { name, ...more })
    return name
  }

  test('creates a zone that PowerDNS serves, lists it, and removes it', async () => {
    const name = await newZone({
      nameservers: ['ns1.example.net', 'ns2.example.net.'],
      rrsets: [{ name: 'www', type: 'a', ttl: 300, records: [{ content: '192.0.2.10' }] }],
    })
    assert.deepEqual(await server.dig(name, 'NS'), ['ns1.example.net.', 'ns2.example.net.'])
    assert.deepEqual(await server.dig(`www.${name}`, 'A'), ['192.0.2.10'])
    const zone = await must('GET', `/zones/${name}`)
    assert.deepEqual(
      zone.rrsets.map(({ name: of, type }: { name: string; type: string }) => `${of} ${type}`).toSorted(),
      [`www.${name}. A`, `${name}. NS`, `${name}. SOA`],
    )
    const listed = (await must('GET', '/zones')).find((one: { name: string }) => one.name === name)
    assert.deepEqual(listed, { name, kind: 'Native', serial: zone.serial, dnssec: false, masters: [] })
    const [status, code] = await refused('POST', '/zones', { name: `${name.toUpperCase()}.` })
    assert.deepEqual([status, code], [409, 'conflict'])
    await must('DELETE', `/zones/${name}`)
    assert.deepEqual(await server.dig(`www.${name}`, 'A'), [])
    assert.equal((await ask('GET', `/zones/${name}`)).status, 404)
    assert.equal((await ask('DELETE', `/zones/${name}`)).status, 404)
  })

  test('shows a new zone in its plan, and undoes it', async () => {
    const plan = await must('POST', '/zones?plan=1', { name: 'planned.example.com' })
    assert.deepEqual(plan.steps[0].objects, [
      { name: 'zone planned.example.com', before: null, after: 'Native, 2 record sets' },
    ])
    assert.equal((await ask('GET', '/zones/planned.example.com')).status, 404)
  })
})
