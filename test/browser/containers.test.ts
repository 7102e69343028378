import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
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
    const panel = await openTestPanel({
      docker: { connection: engine.connection },
      scripts: [([program]) => (program === 'dockerd' ? { stdout: 'Docker version 20.10.24\n' } : undefined)],
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
    await page.getByRole('link', { name: 'web', exact: true }).click()
    await page.getByRole('tab', { name: 'Log' }).click()
    await page.getByText('[stderr] failure').first().waitFor()
    await page.getByRole('tab', { name: 'Configuration' }).click()
    await page.getByText('That of the image').waitFor()
    await assertSound(page, 'container', ['light, desktop', 'dark, phone'])
    await page.getByRole('button', { name: 'Stop' }).click()
    await settles(async () => [...engine.containers.values()][0]?.status, 'exited')
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await settles(async () => engine.containers.size, 0)
    assert.deepEqual(complaints, [])
  })
})
