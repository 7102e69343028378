import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openLogPanel } from '../../src/areas/logstore/testing/panel.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

describe('the log store in a browser', () => {
  test('is searched, narrowed by its fields, and saved; sources are added and applied', async (t) => {
    const at = await openLogPanel({ isInstalled: true })
    t.after(() => at.close())
    const lines = ['Failed password for root', 'Accepted password for ada'].map((message, index) => ({
      '@timestamp': new Date(Date.now() - index * 7_200_000).toISOString(),
      ...{
        message,
        severity: index === 0 ? 'err' : 'info',
        program: 'sshd',
        host: 'web',
        source_ip: '192.0.2.1',
      },
    }))
    at.opensearch.indices.set('hostreeve-logs-2026.01.01', lines)
    const web = await serveWithPages(at.panel, `${dirname(entry)}/web`)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    const dialog = page.getByRole('dialog').last()
    const search = page.getByRole('search').getByRole('button', { name: 'Search', exact: true })
    const confirm = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
    await signIn({ baseUrl: web.baseUrl, page }, at.panel.admin)

    await page.goto(`${web.baseUrl}/logs`)
    await page.getByText('Accepted password for ada').first().waitFor()
    await assertSound(page, 'logs', ['light, desktop', 'dark, phone'])
    await page.getByLabel('Query').fill('failed')
    await search.click()
    await page.getByText('Accepted password for ada').first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Only severity err' }).click()
    await settles(() => page.getByLabel('Query').inputValue(), '(failed) AND severity:"err"')
    await page.getByLabel('Query').fill('failed')
    await search.click()
    await page.getByRole('button', { name: 'Save this search' }).click()
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('failures')
    await confirm('Review changes')
    await dialog.getByText('Save the log search failures').first().waitFor()
    await confirm('Save')
    await page.getByRole('button', { name: 'Delete failures' }).waitFor()

    const follow = page.getByRole('switch', { name: 'Show lines of this search as they arrive' })
    await follow.click({ force: true })
    await page.getByText('No line has arrived yet.').waitFor()
    const arrived = page.getByRole('log', { name: 'Lines as they arrive' }).getByText('Failed once more')
    const [first] = lines
    assert.ok(first)
    const arriving: (typeof lines)[number][] = []
    at.opensearch.indices.set('hostreeve-logs-2026.01.02', arriving)
    await settles(() => {
      // the stream may not have begun yet, and has no line from before it
      arriving.push({ ...first, '@timestamp': new Date().toISOString(), message: 'Failed once more' })
      return arrived.count()
    }, 1)
    await follow.click({ force: true })
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    await dialog.getByText('Succeeded').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Download logs-.*\.csv$/ }).waitFor()

    await page.getByRole('link', { name: 'Sources', exact: true }).click()
    await page.getByRole('button', { name: 'Add a source' }).click()
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('network')
    await confirm('Review changes')
    await confirm('Add')
    await page.getByRole('button', { name: 'Apply network' }).click()
    await confirm('Apply')
    await settles(async () => at.rsyslog.starts, 1)
    await page.getByRole('button', { name: 'Apply network' }).waitFor({ state: 'detached' })
    await assertSound(page, 'log-sources', ['light, desktop', 'dark, phone'])

    await page.getByRole('link', { name: 'Retention', exact: true }).click()
    await page.getByText('2026-01-01').first().waitFor()
    await assertSound(page, 'log-retention', ['light, desktop', 'dark, phone'])
    await page.getByRole('button', { name: 'Delete old lines now' }).click()
    await confirm('Delete')
    await settles(async () => at.opensearch.indices.size, 0)
    assert.deepEqual(complaints, [])
  })
})
