import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertSound } from './browser.ts'
import { openHostPanel } from './host-panel.ts'

describe('uptime monitors in a browser', () => {
  test('are added with a name and an address only, and not checked during maintenance', async (t) => {
    const { page, complaints, dialog, onPage, inDialog } = await openHostPanel(t, [])
    await page.goto(new URL('/uptime', page.url()).href)
    await page.getByText('No monitors yet').waitFor()
    await onPage.press('Add a monitor')
    await inDialog.fill('Name', 'shop')
    await inDialog.fill('Target', 'https://shop.example.com/')
    await assertSound(page, 'a new monitor', ['light, desktop', 'dark, phone'])
    await inDialog.press('Review changes')
    await dialog.getByText('Monitor shop').first().waitFor()
    await inDialog.press('Add')
    await page.getByRole('link', { name: 'shop', exact: true }).waitFor()
    await assertSound(page, 'uptime', ['light, desktop', 'dark, phone'])

    await onPage.press('Maintenance: shop')
    await inDialog.fill('Title', 'New disks')
    await inDialog.press('Review changes')
    await inDialog.press('Plan')
    await page.getByRole('button', { name: 'Delete: New disks' }).waitFor()
    await page.getByText('Maintenance', { exact: true }).nth(1).waitFor()
    await page.getByRole('link', { name: 'shop', exact: true }).click()
    await page.getByRole('heading', { name: 'shop', exact: true }).waitFor()
    await page.getByText('No incidents').waitFor()
    await page.getByText('No checks yet').waitFor()
    await assertSound(page, 'a monitor', ['light, desktop', 'dark, phone'])
    await page.goBack()

    await onPage.press('Delete: New disks')
    await inDialog.press('Delete')
    await page.getByText('No maintenance planned').waitFor()

    await onPage.press('Change the public status')
    await dialog.getByRole('switch', { name: /^Anybody may read the status/ }).click({ force: true })
    await inDialog.press('Review changes')
    await inDialog.press('Save')
    await page.getByText('/api/uptime/public').waitFor()
    assert.deepEqual(complaints, [])
  })
})
