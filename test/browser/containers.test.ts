import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { scriptIptables, standInFilter } from '../../src/tools/docker/testing/stand-in-filter.ts'
import { standInEngine } from '../../src/tools/docker/testing/stand-in-engine.ts'
import { openTestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

describe('containers in a browser', () => {
  test('are listed with who can reach them, shown with their log, stopped and removed', async (t) => {
    const engine = standInEngine()
    engine.images.set('nginx:1', {})
    engine.registry.add('nginx:2')
    const panel = await openTestPanel({
      docker: { connection: engine.connection },
      scripts: [
        ([program]) => (program === 'dockerd' ? { stdout: 'Docker version 20.10.24\n' } : undefined),
        scriptIptables(standInFilter()),
      ],
    })
    t.after(() => panel.close())
    await panel.start()
    await panel.request('POST', '/api/containers/containers', {
      as: panel.admin,
      body: { image: 'nginx:1', name: 'web', ports: ['8080:80'] },
    })
    const web = await serveWithPages(panel, `${dirname(entry)}/web`)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    await signIn({ baseUrl: web.baseUrl, page }, panel.admin)

    await page.goto(`${web.baseUrl}/containers`)
    await page.getByText('8080 → 80/tcp (anyone)').waitFor()
    await assertSound(page, 'containers', ['light, desktop', 'dark, phone'])
    await page.getByRole('link', { name: 'Exposure', exact: true }).click()
    await page.getByRole('button', { name: 'Limit 0.0.0.0:8080/tcp' }).click()
    const inDialog = (name: string) =>
      page.getByRole('dialog').last().getByRole('button', { name, exact: true })
    await page.getByRole('combobox', { name: 'Addresses and networks' }).fill('192.0.2.7')
    await page.keyboard.press('Enter')
    await inDialog('Review changes').click()
    await page.getByText('8080/tcp: 192.0.2.7').waitFor()
    await inDialog('Limit').click()
    await page.getByRole('button', { name: 'Lift the limit of 0.0.0.0:8080/tcp' }).waitFor()
    await assertSound(page, 'exposure', ['light, desktop', 'dark, phone'])
    await page.getByRole('link', { name: 'Registries', exact: true }).click()
    await page.getByRole('button', { name: 'Add credentials' }).click()
    await page.getByRole('textbox', { name: 'Registry' }).fill('registry.example.com')
    await page.getByRole('textbox', { name: 'User name' }).fill('deploy')
    await page.getByLabel('Password or access token').fill('a secret of the registry')
    await assertSound(page, 'credentials of a registry', ['light, desktop', 'dark, phone'])
    await inDialog('Review changes').click()
    await inDialog('Add').click()
    await page.getByRole('cell', { name: 'registry.example.com', exact: true }).waitFor()
    await assertSound(page, 'registries', ['light, desktop', 'dark, phone'])
    await page.getByRole('button', { name: 'Remove registry.example.com' }).click()
    await inDialog('Remove').click()
    await page.getByText('No credentials yet').waitFor()
    await page.getByRole('link', { name: 'Exposure', exact: true }).click()
    await page.getByRole('link', { name: 'web', exact: true }).click()
    await page.getByText('0.0.0.0:8080 → 80/tcp (192.0.2.7)').waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('textbox', { name: 'Domain' }).waitFor()
    await assertSound(page, 'publication of a container', ['light, desktop', 'dark, phone'])
    await inDialog('Cancel').click()
    await page.getByRole('button', { name: 'Upgrade' }).click()
    await page.getByRole('textbox', { name: 'Image' }).fill('nginx:2')
    await inDialog('Review changes').click()
    await inDialog('Upgrade').click()
    await settles(
      async () => [...engine.containers.values()].find(({ name }) => name === 'web')?.image,
      'nginx:2',
    )
    await page.getByRole('tab', { name: 'Log' }).click()
    await page.getByText('[stderr] failure').first().waitFor()
    await page.getByRole('tab', { name: 'Configuration' }).click()
    await page.getByText('That of the image').waitFor()
    await assertSound(page, 'container', ['light, desktop', 'dark, phone'])
    await page.getByRole('button', { name: 'Stop' }).click()
    const own = () => [...engine.containers.values()].find(({ name }) => name === 'web')
    await settles(async () => own()?.status, 'exited')
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await settles(async () => own(), undefined)
    assert.deepEqual(complaints, [])
  })
})
