import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import { createSelfSigned } from '../../host/self-signed.ts'
import { insertRow } from '../../store/rows.ts'
import { defaultSettings } from './settings-model.ts'

describe('a proxy to an https upstream', () => {
  let panel: TestPanel
  let id: number
  before(async () => {
    panel = await openTestPanel({ hasNginx: true, accounts: new Map([['ada', { uid: 1001 }]]) })
    const ada = await panel.person({ username: 'ada' })
    id = await addWebsite(panel, { domain: 'app.example.com', userId: ada.id, type: 'proxy' })
    const settings = JSON.stringify({
      ...defaultSettings,
      upstream: 'http://192.0.2.7:3000',
      upstream_address: '192.0.2.7',
      proxy_settings: { body_mb: 32, timeout_seconds: 90 },
    })
    const row = insertRow('website_settings', { website_id: id, settings, passwords: '[]' })
    await panel.store.transaction((tx) => panel.store.write(tx, [row]))
  })
  after(() => panel.close())

  const site = () => `/api/websites/${id}`
  const edit = (body: unknown) =>
    panel.request('PATCH', `${site()}?overwrite=true`, { as: panel.admin, body })
  const file = () => panel.host.files.read(panel.tools.nginx.sitePath('app.example.com'))
  const trusted = async () => /proxy_ssl_trusted_certificate (\S+);/.exec((await file()) ?? '')?.[1]

  test('has the defaults of settings that an earlier version of the panel did not store', async () => {
    const { data } = await panel.request('GET', site(), { as: panel.admin })
    const { proxy_settings } = defaultSettings
    assert.deepEqual(data.proxy_settings, { ...proxy_settings, body_mb: 32, timeout_seconds: 90 })
  })

  test('writes authorities of its own before nginx reads them, and removes them when they are replaced', async () => {
    const [{ cert: first }, { cert: second }] = await Promise.all([
      createSelfSigned('first', [], new Date()),
      createSelfSigned('second', [], new Date()),
    ])
    const upstream = 'https://192.0.2.7'
    const proxy_settings = { tls_name: 'app.internal', ca: first }
    assert.equal((await edit({ upstream, proxy_settings })).status, 200)
    const former = await trusted()
    assert.equal(await panel.host.files.read(former!), first)
    assert.equal((await edit({ proxy_settings: { ca: second } })).status, 200)
    assert.equal(await panel.host.files.read((await trusted())!), second)
    assert.equal(await panel.host.files.read(former!), undefined)
    const last = await trusted()
    assert.equal((await edit({ proxy_settings: { ca: null } })).status, 200)
    assert.equal(await trusted(), panel.tools.nginx.layout.authoritiesPath)
    assert.equal(await panel.host.files.read(last!), undefined)
  })

  test('is refused with 400 where its certificate could not be verified', async () => {
    const { status, error } = await edit({ proxy_settings: { tls_name: null } })
    assert.deepEqual([status, error.code], [400, 'bad_request'])
    assert.match(error.message, /^upstream: the certificate of 192\.0\.2\.7 is verified by name/)
    const text = await edit({ proxy_settings: { ca: 'text' } })
    assert.match(text.error.message, /^proxy_settings\.ca: must be certificates in PEM/)
  })
})
