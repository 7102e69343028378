import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { scriptPackages } from '../../host/testing/scripted-host.ts'
import type { Script } from '../../host/testing/scripted-run.ts'
import { type ScratchPowerdns, startPowerdns } from '../../tools/powerdns/testing/scratch-powerdns.ts'

/** `find` finds no log symlink in any home. */
const noLogLinks: Script = ([program]) => (program === 'find' ? { code: 1 } : undefined)

describe('the DNS zone of a new website', () => {
  let server: ScratchPowerdns
  let panel: TestPanel
  let ada: Person
  before(async () => {
    server = await startPowerdns()
    panel = await openTestPanel({
      hasNginx: true,
      accounts: new Map([['ada', { uid: 1001 }]]),
      addresses: { own: () => ['192.0.2.1', '2001:db8::1', '198.51.100.7'] },
      scripts: [noLogLinks, scriptPackages(new Map([['pdns-server', '4.7.3-2']]))],
    })
    server.serveTo(panel.root)
    await panel.start()
    ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
  })
  after(async () => {
    await panel.close()
    await server.stop()
  })

  const asked = (method: string, path: string, body: unknown, as = panel.admin) =>
    panel.request(method, path, { as, body })
  const planned = (domain: string, dns_template: string, as = panel.admin) =>
    asked('POST', '/api/websites?plan=1', { domain, type: 'static', username: 'ada', dns_template }, as)
  const template = (name: string, ...records: readonly object[]) =>
    asked('POST', '/api/authdns/templates', { name, records })
  const templates = async (as = panel.admin) =>
    (await panel.request('GET', '/api/websites/dns-templates', { as })).data.templates

  test('is planned with the website, without www and with the addresses of the host', async () => {
    const { status, data, text } = await planned('www.zoned.example', 'Website with mail')
    assert.equal(status, 200, text)
    const { objects, title } = data.steps.at(-1)
    assert.equal(title, 'Create the zone zoned.example')
    // the SOA and the name server, and 11 records of which no two are in one set
    assert.deepEqual(objects, [{ name: 'zone zoned.example', before: null, after: 'Native, 13 record sets' }])
    assert.match(text, /The registrar of zoned\.example has to name this server/)
    assert.deepEqual(await server.dig('zoned.example', 'SOA'), [])
  })

  test('is offered to superusers by the templates that need no further value', async () => {
    const record = { name: '@', type: 'A', content: '{{ip}}' }
    await template('Addresses', record, { name: '@', type: 'AAAA', content: '{{ipv6}}' })
    await template('Backup', record, { name: '@', type: 'MX', content: '20 {{backup_mx}}' })
    assert.deepEqual(await templates(), ['Website with mail', 'Addresses'])
    assert.deepEqual(await templates(ada), [])
    const { status, error } = await planned('backup.example', 'Backup')
    assert.deepEqual([status, error.code], [400, 'bad_request'])
    assert.match(error.message, /^dns_template: the template Backup needs a value for \{\{backup_mx\}\}/)
    assert.equal((await planned('addresses.example', 'Addresses')).status, 200)
  })

  test('is refused for unknown templates, zones that exist or contain it, and bad records', async () => {
    await asked('POST', '/api/authdns/zones', { name: 'taken.example' })
    await template('Bad', { name: '@', type: 'MX', content: '10 {{ip}}' })
    for (const [domain, name, message] of [
      ['new.example', 'Unknown', /^dns_template: there is no template Unknown/],
      ['www.taken.example', 'Website with mail', /^dns_template: PowerDNS has the zone taken\.example/],
      ['shop.taken.example', 'Website with mail', /zone taken\.example, which contains shop\.taken\.example/],
      ['new.example', 'Bad', /^dns_template: .*must be a host name, and 192\.0\.2\.1 is an address/],
    ] as const) {
      const { status, error } = await planned(domain, name)
      assert.deepEqual([status, error?.code], [400, 'bad_request'], domain)
      assert.match(error.message, message)
    }
    for (const name of ['', 'x'.repeat(101)])
      assert.equal((await planned('new.example', name)).status, 400, `a name of ${name.length}`)
  })

  test('is refused to a hosting user, and while the plugin is disabled', async () => {
    const { status, error } = await planned('user.example', 'Website with mail', ada)
    assert.deepEqual([status, error.code], [403, 'forbidden'])
    await panel.request('POST', '/api/plugins/authdns/disable', { as: panel.admin })
    assert.deepEqual(await templates(), [])
    const disabled = await planned('user.example', 'Website with mail')
    assert.deepEqual([disabled.status, disabled.error.code], [400, 'bad_request'])
    assert.match(disabled.error.message, /its plugin is disabled/)
    await panel.request('POST', '/api/plugins/authdns/enable', { as: panel.admin })
    assert.equal((await planned('user.example', 'Website with mail')).status, 200)
  })
})
