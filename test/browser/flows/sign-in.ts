import type { Visit } from '../browser.ts'

interface Credentials {
  readonly email: string
  readonly password: string
}

/** Signs in at the front page, using only the keyboard. */
export async function signIn({ baseUrl, page }: Visit, { email, password }: Credentials): Promise<void> {
  await page.goto(baseUrl)
  await page.getByLabel('E-mail').focus()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Main menu' }).waitFor()
}

/** Signs out through the account menu. */
export async function signOut({ page }: Visit): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
}

/** Opens a page through the menu. */
export async function openArea({ page }: Visit, title: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Main menu' })
    .getByRole('link', { name: title, exact: true })
    .click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}
