import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openTestPanel } from '../support/panel.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

test('a package limits a hosting user, who sees what is used', { timeout: 300_000 }, async (t) => {
  const panel = await openTestPanel({ accounts: new Map([['ada', { uid: 1001 }]]) })
  t.after(() => panel.close())
  await panel.start()
  const ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
  const web = await serveWithPages(panel, `${dirname(entry)}/web`)
  t.after(() => web.close())
  const browser = await openBrowser()
  t.after(() => browser.close())
  const { page, complaints } = await openPage(browser)
  await signIn({ baseUrl: web.baseUrl, page }, panel.admin)
  await page.goto(`${web.baseUrl}/users`)
  await page.getByRole('navigation', { name: 'Pages of users' }).getByRole('link', { name: 'Limits' }).click()
  await page.getByText('CPU, memory and tasks are not limited here').waitFor()
  await page.getByRole('button', { name: 'New package' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Small')
  await dialog.getByLabel('Websites').fill('3')
  await dialog.getByLabel('Memory in MiB').fill('512')
  await assertSound(page, 'a new package')
  await dialog.getByRole('button', { name: 'Review changes' }).click()
  await page.getByRole('dialog').last().getByRole('button', { name: 'Save' }).click()
  await page.getByText('3 websites, 512 MiB memory').waitFor()
  await page.getByRole('button', { name: 'Limit ada' }).click()
  await dialog.getByLabel('Package').selectOption('Small')
  await dialog.getByRole('button', { name: 'Review changes' }).click()
  await page.getByRole('dialog').last().getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'Small 3 websites, 512 MiB memory' }).waitFor()
  await assertSound(page, 'the limits of users')
  const { users } = (await panel.request('GET', '/api/limits', { as: ada })).data
  assert.deepEqual([users[0].package, users[0].limits.websites], ['Small', 3])
  assert.deepEqual(complaints, [])
})
