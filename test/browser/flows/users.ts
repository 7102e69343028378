import type { Visit } from '../browser.ts'
import { openArea } from './sign-in.ts'

export interface NewUser {
  readonly email: string
  readonly password: string
  readonly fullname: string
  /** Optional Linux account; needs a host. */
  readonly username?: string
}

/** Creates a user in one dialog. */
export async function createUser(visit: Visit, user: NewUser): Promise<void> {
  const { page } = visit
  await openArea(visit, 'Users')
  await page.getByRole('button', { name: 'New user' }).click()
  const dialog = page.getByRole('dialog', { name: 'New user' })
  await dialog.getByLabel('E-mail').fill(user.email)
  await dialog.getByRole('textbox', { name: 'Password' }).fill(user.password)
  await dialog.getByLabel('Full name').fill(user.fullname)
  if (user.username) await dialog.getByLabel('Linux account').fill(user.username)
  await dialog.getByRole('button', { name: 'Create the user' }).click()
}

/** Opens the page of a user from the list. */
export async function openUser(visit: Visit, email: string): Promise<void> {
  await openArea(visit, 'Users')
  await visit.page.getByLabel('Search users').fill(email)
  await visit.page.getByRole('link', { name: email }).click()
  await visit.page.getByRole('heading', { level: 1, name: email }).waitFor()
}

/** Creates an API key on a user's page and returns it, as it is shown only once. */
export async function createKey({ page }: Visit, name: string): Promise<string> {
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New API key' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create the key' }).click()
  const key = await dialog.getByLabel('API key', { exact: true }).textContent()
  await dialog.getByRole('button', { name: 'Copy' }).click() // the dialog stays until the key is copied
  await dialog.getByRole('button', { name: 'Done' }).click()
  return key ?? ''
}

/** Suspends a user after viewing the plan, or ends the suspension. */
export async function switchSuspension({ page }: Visit, verb: 'Suspend' | 'Unsuspend'): Promise<string> {
  await page.getByRole('button', { name: verb, exact: true }).click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: verb, exact: true })
  await confirm.and(page.locator(':enabled')).waitFor()
  const plan = await dialog.textContent()
  await confirm.click()
  await dialog.waitFor({ state: 'detached' })
  return plan ?? ''
}

/** Resets the password on a user's page and waits until it is done. */
export async function resetPassword({ page }: Visit, password: string): Promise<void> {
  await page.getByRole('button', { name: 'Reset password' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'New password' }).fill(password)
  await dialog.getByRole('button', { name: 'Reset password' }).click()
  await dialog.waitFor({ state: 'detached' })
}
