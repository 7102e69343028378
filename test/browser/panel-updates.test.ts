import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  releaseEntry,
  releaseKey,
  startReleaseIndex,
} from '../../src/areas/selfupdate/testing/release-index.ts'
import { openTestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

describe('updates of the panel in a browser', () => {
  test('are shown with their notes, planned, and their failure is told', async (t) => {
    const server = await startReleaseIndex()
    t.after(() => server.close())
    const folder = installed(t)
    const panel = await openTestPanel({
      environment: { HOSTREEVE_UPDATE_URL: server.url, HOSTREEVE_UPDATE_PUBLIC_KEY: releaseKey },
      installation: { folder, replace: () => Promise.reject(new Error('nothing was downloaded')) },
    })
    t.after(() => panel.close())
    await panel.start()
    const web = await serveWithPages(panel, `${dirname(entry)}/web`)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    await signIn({ baseUrl: web.baseUrl, page }, panel.admin)
    await page.goto(`${web.baseUrl}/settings/updates`)
    await page.getByText('The update server offers no version newer').waitFor()
    await assertSound(page, 'no update')
    server.text = JSON.stringify([releaseEntry('99.0.0')])
    await page.reload()
    await page.getByRole('heading', { name: 'Version 99.0.0 is available' }).waitFor()
    await page.getByText('Notes of 99.0.0').waitFor()
    await assertSound(page, 'an update')
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Update the panel to version 99.0.0').first().waitFor()
    await dialog.getByRole('button', { name: 'Update', exact: true }).click()
    await page.getByText('The panel is being updated to version 99.0.0').waitFor()
    await page.goto(`${web.baseUrl}/jobs`)
    await page.getByText('Update the panel to version 99.0.0').first().waitFor()
    await page.getByRole('table').getByText('Failed', { exact: true }).waitFor()
    assert.deepEqual(complaints, [])
  })
})

/** An installation folder with one version. */
function installed(t: TestContext): string {
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-installed-`)
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(`${folder}/versions/0.0.0`, { recursive: true })
  symlinkSync('versions/0.0.0', `${folder}/current`)
  return folder
}
