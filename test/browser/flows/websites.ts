import type { Visit } from '../browser.ts'
import { openArea } from './sign-in.ts'
import { settles } from '../settles.ts'

interface NewSite {
  readonly domain: string
  /** The domain as it is typed. */
  readonly typed?: string
  /** The label of the owner to choose; absent where the preselected one is right. */
  readonly owner?: string
}

interface NewOwner {
  readonly email: string
  readonly fullname: string
  readonly account: string
  readonly password: string
}

/** Creates a website in one step and waits for its page. */
export async function createWebsite(visit: Visit, site: NewSite, fresh?: NewOwner): Promise<void> {
  const { page } = visit
  await openArea(visit, 'Websites')
  await page.getByRole('button', { name: 'New website' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New website' })
  const domain = dialog.getByRole('textbox', { name: 'Domain' })
  await domain.and(page.locator(':focus')).waitFor()
  await page.keyboard.insertText(site.typed ?? site.domain)
  await domain.blur()
  await settles(() => domain.inputValue(), site.domain, 'the field shows what is stored')
  if (site.owner) await dialog.getByLabel('Owner').selectOption({ label: site.owner })
  if (fresh) {
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill(fresh.email)
    await dialog.getByRole('textbox', { name: 'Full name' }).fill(fresh.fullname)
    await dialog.getByRole('textbox', { name: 'Linux account' }).fill(fresh.account)
    await dialog.getByRole('textbox', { name: 'Password' }).fill(fresh.password)
  }
  await dialog.getByRole('button', { name: 'Create the website' }).click()
  await page.getByRole('heading', { level: 1, name: site.domain }).waitFor()
}

/** Adds an alias to the website on the current page. */
export async function addAlias({ page }: Visit, name: string): Promise<void> {
  await page.getByLabel('Add an alias').fill(name)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
}

/** Suspends or resumes the website on the current page after its plan was shown. */
export async function switchWebsite({ page }: Visit, verb: 'Suspend' | 'Unsuspend'): Promise<string> {
  await page.getByRole('button', { name: verb, exact: true }).click()
  return confirm(page, verb)
}

/** Deletes the website on the current page after its plan was shown; returns the plan's text. */
export async function deleteWebsite({ page }: Visit, files: 'keep' | 'remove'): Promise<string> {
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  if (files === 'remove') await page.getByText('Remove them', { exact: true }).first().click() // the second is that of databases
  return confirm(page, 'Delete the website')
}

async function confirm(page: Visit['page'], label: string): Promise<string> {
  const dialog = page.getByRole('dialog')
  const button = dialog.getByRole('button', { name: label, exact: true })
  await button.and(page.locator(':enabled')).waitFor()
  const plan = await dialog.textContent()
  await button.click()
  await dialog.waitFor({ state: 'detached' })
  return plan ?? ''
}
