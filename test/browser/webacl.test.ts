import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { debianLayout } from '../../src/tools/nginx/layout.ts'
import { modulePath } from '../../src/tools/nginx/access/layout.ts'
import { openTestPanel } from '../support/panel.ts'
import { addWebsite } from '../support/websites.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

describe('web access control in a browser', () => {
  test('sets up the module, imports a group, adds a ruleset with a rule, reorders, tests and applies', async (t) => {
    const panel = await openTestPanel({ hasNginx: true })
    t.after(() => panel.close())
    const { files } = panel.host
    for (const folder of ['/usr/lib/nginx/modules', '/etc/nginx/modules-enabled'])
      await files.makeDirectory(folder)
    await files.write(modulePath, '')
    await panel.start()
    const ada = await panel.person({ username: 'ada' })
    const site = await addWebsite(panel, { domain: 'a.example.com', userId: ada.id })
    const web = await serveWithPages(panel, `${dirname(entry)}/web`)
    t.after(() => web.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const { page, complaints } = await openPage(browser)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog').last()
    const confirm = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
    const read = async (path: string) =>
      (await panel.request('GET', `/api/webacl${path}?website_id=${site}`, { as: panel.admin })).data
    await signIn({ baseUrl: web.baseUrl, page }, panel.admin)

    await page.goto(`${web.baseUrl}/webacl`)
    await page.getByText('No rulesets yet').waitFor()
    await assertSound(page, 'no rulesets')
    await button('Install the scripting module').click()
    await confirm('Install')
    await page.getByRole('region', { name: 'Test a request' }).waitFor()

    await button('Add a group').click()
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Office')
    await confirm('Review changes')
    await confirm('Add')
    await button('Add addresses to Office').click()
    await dialog
      .getByRole('textbox', { name: 'Addresses and networks' })
      .fill('192.0.2.0/24\n2001:db8::/32, 198.51.100.7')
    await dialog.getByText('3 entries').waitFor()
    await confirm('Review changes')
    await confirm('Add')
    await settles(async () => (await read('/ip-groups'))[0]?.entry_count, 3)
    await button('Entries of Office').click()
    await dialog.getByRole('button', { name: 'Remove 198.51.100.7' }).click()
    await confirm('Remove')
    await page.getByText('198.51.100.7 was removed.').waitFor()
    await settles(async () => (await read('/ip-groups'))[0]?.entry_count, 2)
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await settles(() => page.getByRole('dialog').count(), 0)

    await button('Add a ruleset').click()
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Private pages')
    await assertSound(page, 'adding a ruleset')
    await confirm('Review changes')
    await confirm('Add')
    await button('Add a rule to Private pages').click()
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Private')
    await dialog.getByRole('textbox', { name: 'Value' }).fill('/private')
    await assertSound(page, 'adding a rule')
    await confirm('Review changes')
    await confirm('Add')
    await page.getByText('path starts with /private').waitFor()

    await button('Add from the library').click()
    await page.getByRole('menuitem', { name: 'Limit sign-in attempts' }).click()
    await confirm('Add')
    await button('Move Limit sign-in attempts up').click()
    await settles(async () => (await read('/rulesets')).rulesets[0]?.name, 'Limit sign-in attempts')

    const card = (name: string) => page.getByRole('region', { name, exact: true })
    // the page sends the order that it shows: it must show the new one
    const first = () =>
      page
        .getByTitle(/^Drag /)
        .first()
        .getAttribute('title')
    await settles(first, 'Drag Limit sign-in attempts')
    await page.getByTitle('Drag Private pages').dragTo(card('Limit sign-in attempts'))
    await settles(async () => (await read('/rulesets')).rulesets[0]?.name, 'Private pages')

    await page.getByText('Conditions on countries are off').waitFor()
    const logs = `${debianLayout.logsDirectory}/a.example.com`
    await files.makeDirectory(logs)
    await files.write(
      `${logs}/access.log`,
      '192.0.2.1 - - [29/Nov/2026:04:08:15 +0000] "GET /private?token=1 HTTP/1.1" 200 5 "-" "curl" 0.001\n',
    )
    panel.nginx.replays(({ requests }) => requests.map(() => 'm1'))
    await button('Replay logs through Private pages').click()
    await assertSound(page, 'before a replay')
    await confirm('Replay')
    await page.getByText('1 of 1 requests match: Block').waitFor()
    await page.getByText('192.0.2.1 GET /private 200 curl').waitFor()
    await assertSound(page, 'a replay')
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await settles(() => page.getByRole('dialog').count(), 0)

    await button('Show the changes').click()
    await page.getByLabel('Changes of access-rules').waitFor()
    await assertSound(page, 'rulesets that are pending')
    await page.getByRole('textbox', { name: 'Address of the visitor' }).fill('203.0.113.9')
    await button('Test').click()
    await page.getByText('No ruleset decides this request').waitFor()

    await button('Apply').click()
    await confirm('Apply')
    await settles(async () => (await read('/pending')).pending, false)
    await page.getByText('Changes are not applied yet').waitFor({ state: 'detached' })
    assert.match(
      (await files.read('/etc/nginx/hostreeve/sites/a.example.com.conf')) ?? '',
      /hostreeve\.access/,
    )

    await button('Delete Private pages').click()
    await confirm('Delete')
    await page.getByText('Changes are not applied yet').waitFor()
    assert.deepEqual(complaints, [])
  })
})
