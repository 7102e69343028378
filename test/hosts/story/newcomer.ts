import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Host } from '../harness/index.ts'
import type { PanelWindow } from './panel-window.ts'
import { visit } from './visit.ts'

/** Installs WordPress by clicks; returns the password of its administrator. */
export async function installWordPress(
  { page }: PanelWindow,
  domain: string,
  title: string,
): Promise<string> {
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Websites' }).click()
  await page.getByRole('link', { name: 'Applications' }).click()
  await page.getByRole('button', { name: 'Install WordPress' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Domain').fill(domain)
  await form.getByLabel('Title').fill(title)
  await form.getByRole('button', { name: 'Review changes' }).click()
  const plan = page.getByRole('dialog').last()
  await plan.getByText('Set WordPress up, with the administrator admin').waitFor()
  await plan.getByRole('button', { name: 'Install', exact: true }).click()
  const shown = page.getByLabel('password', { exact: true })
  await shown.waitFor({ timeout: 300_000 })
  const password = (await shown.textContent()) ?? ''
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  return password
}

/** Fills in the sign-in of WordPress in the tab that the panel opens. */
export async function openWordPress({ page, context }: PanelWindow, password: string): Promise<Page> {
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  const tab = await opened
  await tab.getByLabel('Username or Email Address').fill('admin')
  await tab.getByLabel('Password', { exact: true }).fill(password)
  return tab
}

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** A file of the newcomer's computer. */
const picture = { name: 'harbour.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') }

/** Signs in to WordPress and publishes a post with a picture, which is added by the keyboard. */
export async function publishPost(tab: Page, title: string): Promise<void> {
  await tab.getByRole('button', { name: 'Log In' }).click()
  await tab.locator('#wp-admin-bar-new-content > a').click()
  const welcome = tab.getByRole('dialog') // of the editor, which hides all else
  await welcome.waitFor()
  await welcome.press('Escape') // the dialog takes the focus a moment after it appears
  await welcome.waitFor({ state: 'detached' })
  await tab.getByRole('textbox', { name: 'Add title' }).fill(title)
  await addPicture(tab)
  await tab.getByRole('button', { name: 'Publish', exact: true }).click()
  const asked = tab.getByRole('region', { name: 'Editor publish' })
  await asked.getByRole('button', { name: 'Publish', exact: true }).click()
  await asked.getByText('is now live').waitFor()
}

async function addPicture(tab: Page): Promise<void> {
  await tab.keyboard.press('Enter') // from the title to the first paragraph
  const paragraph = tab.getByLabel(/^Empty block/)
  await paragraph.pressSequentially('/image')
  await tab.getByRole('option', { name: 'Image', exact: true }).waitFor()
  await tab.keyboard.press('Enter')
  const block = tab.getByRole('document', { name: 'Block: Image' })
  const chosen = tab.waitForEvent('filechooser')
  await block.getByRole('button', { name: 'Upload', exact: true }).press('Enter')
  await (await chosen).setFiles(picture)
  await tab.locator('.wp-block-image img[src*="/wp-content/uploads/"]').waitFor()
}

/** Asserts that visitors find a post from the front page, with its picture; returns the front page. */
export async function assertPublished(host: Host, domain: string, title: string): Promise<string> {
  const front = await visit(host, domain)
  assert.equal(front.status, 200, front.text.slice(0, 500))
  const link = new RegExp(`href="http://${domain}(/[^"]+)"[^>]*>\\s*${title}`).exec(front.text)?.[1]
  const page = await visit(host, domain, link ?? assert.fail(front.text))
  assert.equal(page.status, 200, page.text.slice(0, 500))
  const shown = new RegExp(`<img[^>]* src="http://${domain}(/wp-content/uploads/[^"]+\\.png)"`)
  const found = await visit(host, domain, shown.exec(page.text)?.[1] ?? assert.fail(page.text))
  assert.deepEqual([found.status, found.headers['content-type']], [200, 'image/png'])
  assert.ok(found.bytes.equals(picture.buffer))
  return front.text
}
