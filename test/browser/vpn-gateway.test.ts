import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { scriptSystemd } from '../../src/host/testing/scripted-host.ts'
import type { Script } from '../../src/host/testing/scripted-run.ts'
import { renderConfiguration } from '../../src/tools/headscale/configuration.ts'
import { configurationPath, keyPath, programPath, version } from '../../src/tools/headscale/layout.ts'
import { apiPrefixOf, nodeOf, standInHeadscale } from '../../src/tools/headscale/testing/stand-in.ts'
import { programDirectory, service as clientService } from '../../src/tools/tailscale/layout.ts'
import { architectureHere } from '../../src/tools/tailscale/program.ts'
import { scriptTailscale, type StandInNode } from '../../src/tools/tailscale/testing/stand-in.ts'
import { openTestPanel, type TestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

const ada = { id: '1001', name: 'ada', createdAt: '2026-01-01T00:00:00Z' }
const bob = { id: '1002', name: 'bob', createdAt: '2026-01-01T00:00:00Z' }
const domain = 'vpn.example.com'

const program: Script = ([name, first]) => {
  if (!name?.endsWith('/headscale')) return undefined
  return first === 'version' ? { stdout: `v${version}\n` } : {}
}

/** Leaves the files that an installation leaves. */
function placeInstallation({ root }: TestPanel): void {
  const configuration = renderConfiguration({
    ...{ domain, baseDomain: 'mesh.internal', subnet: '100.64.0.0/10' },
    ...{ magicDns: true, nameservers: [] },
  })
  const key = { key: `hskey-api-${apiPrefixOf('first')}-whole`, expires_at: '2030-01-01T00:00:00.000Z' }
  const files = {
    [programPath]: 'x',
    [keyPath]: JSON.stringify(key),
    [configurationPath]: configuration,
    [`${programDirectory(architectureHere())}/tailscale`]: 'x',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(root + path), { recursive: true })
    writeFileSync(root + path, text)
  }
}

/** Opens a panel over a stand-in for the control server, signed in, and what presses its buttons. */
async function openVpn(t: TestContext) {
  const server = standInHeadscale()
  server.users = [{ ...ada }, { ...bob }]
  server.nodes = [
    nodeOf(1, 'gateway', ada),
    nodeOf(2, 'laptop', bob, { availableRoutes: ['10.1.0.0/24'], expiry: '2030-01-01T00:00:00Z' }),
  ]
  const node: StandInNode = { isJoined: true, addresses: ['100.64.0.1'], routes: [], keys: [] }
  const services = new Map(
    ['headscale', clientService].map((name) => [name, { isActive: true, isEnabled: true }]),
  )
  const panel = await openTestPanel({
    headscale: { api: server },
    scripts: [scriptTailscale(node), program, scriptSystemd(services)],
  })
  t.after(() => panel.close())
  await panel.start()
  const web = await serveWithPages(panel, `${dirname(entry)}/web`)
  t.after(() => web.close())
  const browser = await openBrowser()
  t.after(() => browser.close())
  const { page, complaints } = await openPage(browser)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const tabs = page.getByRole('navigation', { name: 'Pages of the VPN' })
  const tab = (name: string) => tabs.getByRole('link', { name, exact: true }).click()
  const dialog = page.getByRole('dialog').last()
  const field = (name: string) => dialog.locator(`input[name="${name}"]`)
  const confirm = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
  const review = async (confirmLabel: string) => {
    await confirm('Review changes')
    await confirm(confirmLabel)
    await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  }
  const copy = async () => {
    await dialog.getByText('Copy it now').waitFor()
    await dialog.getByRole('button', { name: 'Copy' }).first().click()
    await confirm('Done')
  }
  await signIn({ baseUrl: web.baseUrl, page }, panel.admin)
  return {
    ...{ server, node, services, panel, baseUrl: web.baseUrl, page, complaints },
    ...{ button, tab, dialog, field, confirm, review, copy },
  }
}

describe('the mesh VPN in a browser', () => {
  test('takes its domain, and shows nodes, users and keys', async (t) => {
    const { server, panel, baseUrl, page, complaints, button, tab, field, confirm, review, copy } =
      await openVpn(t)
    await page.goto(`${baseUrl}/vpn`)
    await page.getByText('The VPN is not installed').waitFor()
    await assertSound(page, 'not installed')
    await button('Set the domain').click()
    await field('domain').fill(domain)
    await assertSound(page, 'setting the domain', ['light, desktop', 'dark, phone'])
    await review('Save')
    await page.getByText(`https://${domain}`).first().waitFor()
    await button('Install the VPN').waitFor()

    placeInstallation(panel)
    await page.goto(`${baseUrl}/vpn`)
    await button('Delete laptop').waitFor()
    await page.getByText('2 of 2 nodes online').waitFor()
    await assertSound(page, 'the nodes')
    await button('Expire laptop').click()
    await confirm('Expire')
    await page.getByText('laptop was expired.').first().waitFor()
    await button('Expire laptop').waitFor({ state: 'detached' })

    await tab('Users and keys')
    await button('Add a user').click()
    await field('name').fill('eve')
    await review('Add')
    await button('Delete eve').waitFor()
    await button('Make a key').click()
    await field('user').fill('bob')
    await field('valid_hours').fill('2')
    await confirm('Review changes')
    await confirm('Make')
    await copy()
    await button('Make an API key').click()
    await confirm('Make')
    await copy()
    await page.getByText('hskey-auth-').first().waitFor()
    await assertSound(page, 'users and keys')
    assert.deepEqual([server.users.length, server.preAuthKeys.length, server.apiKeys.length], [3, 1, 1])
    assert.deepEqual(complaints, [])
  })

  test('enables routes, sets and explains rules, changes settings, and stops', async (t) => {
    const { server, node, services, panel, baseUrl, page, complaints, ...press } = await openVpn(t)
    const { button, tab, dialog, field, confirm, review } = press
    await panel.request('POST', '/api/vpn-gateway/settings', { as: panel.admin, body: { domain } })
    placeInstallation(panel)
    await page.goto(`${baseUrl}/vpn/routes`)
    await button('Enable 10.1.0.0/24 through laptop').click()
    await confirm('Enable')
    await button('Disable 10.1.0.0/24 through laptop').waitFor()
    assert.deepEqual(server.nodes[1]?.approvedRoutes, ['10.1.0.0/24'])
    await button('Offer networks of this host').click()
    await dialog.getByRole('combobox', { name: 'Networks' }).fill('10.7.0.0/16')
    await dialog.getByRole('combobox', { name: 'Networks' }).press('Enter')
    await assertSound(page, 'offering networks', ['light, desktop', 'dark, phone'])
    await review('Offer')
    assert.deepEqual(node.routes, ['10.7.0.0/16'])
    await assertSound(page, 'the routes')

    await tab('Access rules')
    const editor = page.getByRole('textbox', { name: 'Access rules' })
    await editor.click()
    await page.keyboard.press('Control+A')
    const acls = [{ action: 'accept', src: ['bob'], dst: ['ada:80'] }]
    await page.keyboard.insertText(JSON.stringify({ groups: {}, acls }))
    await button('Review changes').click()
    await confirm('Apply')
    await page.getByText('The access rules are in effect.').first().waitFor()
    await page.locator('input[name="src"]').fill('bob')
    await page.locator('input[name="address"]').fill('100.64.0.1')
    await page.locator('input[name="port"]').fill('22')
    await button('Explain').click()
    await page.getByText('No rule lets bob reach 100.64.0.1 port 22.').waitFor()
    await assertSound(page, 'the access rules')

    await tab('Settings')
    await button('Edit').click()
    await field('base_domain').fill('nodes.internal')
    await review('Save')
    await page.getByText('nodes.internal').first().waitFor()
    await assertSound(page, 'the settings')
    await button('More').click()
    await page.getByRole('menuitem', { name: 'Stop', exact: true }).click()
    await confirm('Stop')
    await button('Start').waitFor()
    assert.equal(services.get('headscale')?.isActive, false)
    assert.deepEqual(complaints, [])
  })
})
