import type { Page } from 'playwright-core'
import type { PanelWindow } from './panel-window.ts'

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

/** A picture as a file of the newcomer's computer. */
interface Picture {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** Signs in to WordPress and publishes a post; the picture is added by the keyboard. */
export async function publishPost(tab: Page, title: string, picture?: Picture): Promise<void> {
  await tab.getByRole('button', { name: 'Log In' }).click()
  await tab.locator('#wp-admin-bar-new-content > a').click()
  const welcome = tab.getByRole('dialog') // of the editor, which hides all else
  await welcome.waitFor()
  await tab.keyboard.press('Escape')
  await welcome.waitFor({ state: 'detached' })
  await tab.getByRole('textbox', { name: 'Add title' }).fill(title)
  if (picture !== undefined) await addPicture(tab, picture)
  await tab.getByRole('button', { name: 'Publish', exact: true }).click()
  const asked = tab.getByRole('region', { name: 'Editor publish' })
  await asked.getByRole('button', { name: 'Publish', exact: true }).click()
  await asked.getByText('is now live').waitFor()
}

async function addPicture(tab: Page, picture: Picture): Promise<void> {
  await tab.keyboard.press('Enter') // from the title to the first paragraph
  await tab.keyboard.type('/image')
  await tab.getByRole('option', { name: 'Image', exact: true }).waitFor()
  await tab.keyboard.press('Enter')
  const block = tab.getByRole('document', { name: 'Block: Image' })
  const chosen = tab.waitForEvent('filechooser')
  await block.getByRole('button', { name: 'Upload', exact: true }).press('Enter')
  await (await chosen).setFiles(picture)
  await tab.locator('.wp-block-image img[src*="/wp-content/uploads/"]').waitFor()
}
