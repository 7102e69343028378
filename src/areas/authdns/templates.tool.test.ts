import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { scriptPackages } from '../../host/testing/scripted-host.ts'
import { type ScratchPowerdns, startPowerdns } from '../../tools/powerdns/testing/scratch-powerdns.ts'

describe('templates of DNS records', () => {
  let server: ScratchPowerdns
  let panel: TestPanel
  before(async () => {
    server = await startPowerdns()
    panel = await openTestPanel({ scripts: [scriptPackages(new Map([['pdns-server', '4.7.3-2']]))] })
    server.serveTo(panel.root)
    await panel.start()
  })
  after(async () => {
    await panel.close()
    await server.stop()
  })

  const ask = (method: string, path: string, body?: unknown) =>
    panel.request(method, `/api/authdns${path}`, {
      as: panel.admin,
      ...(body !== undefined && { body }),
    })
  const site = (name: string) => ({
    name,
    description: 'A website with mail',
    records: [
      { name: '@', type: 'A', ttl: 300, content: '{{ip}}' },
      { name: 'www', type: 'CNAME', content: '{{zone}}.' },
      { name: '@', type: 'MX', content: '10 mail.{{zone}}.' },
      { name: '@', type: 'MX', content: '20 {{ backup_mx }}' },
      { name: '@', type: 'TXT', content: 'v=spf1 ip4:{{ip}} -all' },
    ],
  })
  const add = async (name: string) => {
    const { status, data, text } = await ask('POST', '/templates', site(name))
    assert.equal(status, 201, text)
    return data
  }

  test('adds, lists, reads, replaces and deletes a template', async () => {
    const made = await add('Website')
    assert.deepEqual(made.placeholders, ['backup_mx', 'ip'])
    assert.deepEqual((await ask('GET', `/templates/${made.id}`)).data, made)
    const { items } = (await ask('GET', '/templates?search=webs')).data
    assert.deepEqual(items, [made])
    const records = [{ name: '@', type: 'A', content: '192.0.2.1' }]
    const replaced = await ask('PUT', `/templates/${made.id}`, { name: 'Parked', records })
    assert.deepEqual([replaced.data.name, replaced.data.placeholders], ['Parked', []])
    assert.equal((await ask('DELETE', `/templates/${made.id}`)).status, 200)
    for (const [method, body] of [['GET'], ['PUT', site('x')], ['DELETE']] as const)
      assert.equal((await ask(method, `/templates/${made.id}`, body)).status, 404)
  })

  test('sets its records in a zone, as dig sees', async () => {
    const { id } = await add('Applied')
    const zone = 'applied.example.com'
    await ask('POST', '/zones', { name: zone })
    const values = { ip: '192.0.2.40', backup_mx: 'mx.example.net.' }
    const { status, data, text } = await ask('POST', `/templates/${id}/apply/${zone}`, { values })
    assert.deepEqual([status, data], [200, { success: true, changed: 4 }], text)
    assert.deepEqual(await server.dig(`www.${zone}`, 'A'), ['192.0.2.40', `${zone}.`])
    assert.deepEqual(await server.dig(zone, 'MX'), [`10 mail.${zone}.`, '20 mx.example.net.'])
    assert.deepEqual(await server.dig(zone, 'TXT'), ['"v=spf1 ip4:192.0.2.40 -all"'])
  })

  test('refuses bad templates, missing values, and values that make a bad record', async () => {
    const { id } = await add('Refused')
    await ask('POST', '/zones', { name: 'refused.example.com' })
    const apply = (values: object, zone = 'refused.example.com') =>
      ask('POST', `/templates/${id}/apply/${zone}`, { values })
    assert.match((await apply({ ip: '192.0.2.1' })).error.message, /^values\.backup_mx: the template needs/)
    const bad = await apply({ ip: 'nowhere', backup_mx: 'mx.example.net.' })
    assert.deepEqual([bad.status, bad.error.code], [400, 'bad_request'])
    assert.match(bad.error.message, /must be an IPv4 address/)
    assert.equal((await apply({}, 'none.example.com')).status, 404)
    const taken = await ask('POST', '/templates', site('Refused'))
    assert.deepEqual([taken.status, taken.error.code], [409, 'conflict'])
    for (const record of [
      { name: '@', type: 'KLINGON', content: 'x' },
      { name: '@', type: 'A', content: '{{IP}}' },
    ]) {
      const { status, error } = await ask('POST', '/templates', { name: 'Bad', records: [record] })
      assert.deepEqual([status, error.code], [400, 'bad_request'])
      assert.match(error.message, /^records\[0\]/)
    }
  })
})
