import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { run } from '../../host/run.ts'
import { scriptPackages } from '../../host/testing/scripted-host.ts'
import { type ScratchPowerdns, startPowerdns } from '../../tools/powerdns/testing/scratch-powerdns.ts'
import { zoneFiles } from './testing/zone-files.ts'
import { readZoneFile } from './zone-file/read.ts'

describe('zone files', () => {
  let server: ScratchPowerdns
  let panel: TestPanel
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-zones-`)
  before(async () => {
    server = await startPowerdns()
    panel = await openTestPanel({ scripts: [scriptPackages(new Map([['pdns-server', '4.7.3-2']]))] })
    server.serveTo(panel.root)
    await panel.start()
  })
  after(async () => {
    await panel.close()
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  const ask = (method: string, path: string, body?: unknown) =>
    panel.request(method, `/api/authdns/zones/${path}`, {
      as: panel.admin,
      ...(body !== undefined && { body }),
    })
  const exported = async (zone: string) => {
    const { status, data, text } = await ask('POST', `${zone}/export`)
    assert.equal(status, 200, text)
    return data.bind_data as string
  }
  const check = async (zone: string, text: string) => {
    const path = `${folder}/${zone}`
    writeFileSync(path, text)
    const { code, stdout } = await run(['named-checkzone', '-i', 'local', zone, path], { timeoutMs: 60_000 })
    assert.equal(code, 0, `${stdout}\n${text}`)
  }
  /** PowerDNS raises the serial. */
  const setsIn = (text: string, zone: string) =>
    readZoneFile(text, zone)
      .map(({ records, ...set }) => ({
        ...set,
        records: records.toSorted((one, other) => (one.content < other.content ? -1 : 1)),
      }))
      .map((set) => JSON.stringify(set).replace(/(SOA.*?content":"\S+ \S+) \d+/, '$1'))
      .map((set) => set.toLowerCase())
      .toSorted()

  for (const [zone, text] of Object.entries(zoneFiles))
    test(`imports and exports ${zone} with equal record sets`, async () => {
      await check(zone, text)
      const { status, text: answer } = await ask('POST', `${zone}/import`, { bind_data: text })
      assert.equal(status, 200, answer)
      const back = await exported(zone)
      await check(zone, back)
      assert.deepEqual(setsIn(back, zone), setsIn(text, zone))
      const again = await ask('POST', `${zone}/import?force=true`, { bind_data: text })
      assert.deepEqual([again.status, again.data.changed <= 1], [200, true], again.text)
    })

  const base = '$TTL 60\n@ SOA ns1 admin 1 7200 3600 1209600 60\n@ NS ns1\nns1 A 192.0.2.1\n'

  test('replaces sets of a zone, and removes the others with `replace` only', async () => {
    const zone = 'replaced.example'
    await ask('POST', `${zone}/import`, { bind_data: `${base}www A 192.0.2.2\nold A 192.0.2.3\n` })
    const merged = await ask('POST', `${zone}/import`, { bind_data: '$TTL 60\nwww A 192.0.2.9\n' })
    assert.deepEqual(merged.data, { success: true, changed: 1 })
    assert.deepEqual(await server.dig(`www.${zone}`, 'A'), ['192.0.2.9'])
    assert.deepEqual(await server.dig(`old.${zone}`, 'A'), ['192.0.2.3'])
    const whole = { bind_data: '$TTL 60\nns1 A 192.0.2.1\nwww A 192.0.2.9\n', replace: true }
    const plan = (await ask('POST', `${zone}/import?plan=1`, whole)).data
    assert.deepEqual(plan.steps[0].objects, [{ name: `old.${zone}. A`, before: '60 192.0.2.3', after: null }])
    assert.deepEqual((await ask('POST', `${zone}/import`, whole)).data, { success: true, changed: 1 })
    assert.deepEqual(await server.dig(`old.${zone}`, 'A'), [])
    assert.deepEqual(await server.dig(zone, 'NS'), [`ns1.${zone}.`])
  })

  test('needs force for what could take a zone offline', async () => {
    const zone = 'forced.example'
    await ask('POST', `${zone}/import`, { bind_data: base })
    const bind_data = '$TTL 60\n@ NS ns9.example.net.\n'
    const { status, error } = await ask('POST', `${zone}/import`, { bind_data })
    assert.deepEqual([status, error.code], [409, 'force_required'])
    assert.equal((await ask('POST', `${zone}/import?force=true`, { bind_data })).status, 200)
    assert.deepEqual(await server.dig(zone, 'NS'), ['ns9.example.net.'])
  })

  test('refuses bad files with their line, and changes nothing', async () => {
    for (const [bind_data, message] of [
      ['', /has no records/],
      ['; nothing\n', /has no records/],
      ['$INCLUDE other', /line 1: \$INCLUDE/],
      [`${base}$GENERATE 1-10000000 h$ A 192.0.2.1\n`, /line 5: \$GENERATE makes at most/],
      [`${base}www CNAME a\nwww A 192.0.2.1\n`, /CNAME must be the only record/],
    ] as const) {
      const { status, error } = await ask('POST', 'bad.example/import', { bind_data })
      assert.deepEqual([status, error.code], [400, 'bad_request'])
      assert.match(error.message, message)
    }
    assert.equal((await ask('GET', 'bad.example')).status, 404)
    assert.equal((await ask('POST', 'bad.example/export')).status, 404)
    assert.equal((await ask('POST', 'a..b/export')).status, 400)
  })
})
