import type { Visit } from '../browser.ts'

interface Login {
  readonly name: string
  readonly password: string
}

/** Opens the clone dialog with a URL. */
export async function beginClone({ page }: Visit, url: string): Promise<void> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Clone a repository' }).click()
  await page.getByRole('dialog', { name: 'Clone a repository' }).getByLabel('Address').fill(url)
}

/** Fills in the credentials for the remote. */
export async function signInThere({ page }: Visit, { name, password }: Login): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Password or token', { exact: true }).click()
  await dialog.getByLabel('User name').fill(name)
  await dialog.getByRole('textbox', { name: 'Password or token' }).fill(password)
}

/** Fills in a private key. */
export async function giveKey({ page }: Visit, key: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByText('SSH key', { exact: true }).click()
  await dialog.getByLabel('Private key').fill(key)
}

/** Commits all changes in the open repository. */
export async function commitAll({ page }: Visit, message: string): Promise<void> {
  await page.getByLabel('Commit message').fill(message)
  await page.getByRole('button', { name: /^Commit \d+ file/ }).click()
  await page.getByText('No changes').waitFor()
}

/** Pushes with the given credentials and waits for the result. */
export async function push(
  visit: Visit,
  login: Login,
  end: 'Succeeded' | 'Failed',
  isKept = false,
): Promise<void> {
  const { page } = visit
  await page.getByRole('button', { name: 'Push' }).click()
  const dialog = page.getByRole('dialog', { name: 'Push to a remote' })
  await signInThere(visit, login)
  if (isKept) await dialog.getByLabel('Store it, encrypted, for this remote').check()
  await dialog.getByRole('button', { name: 'Push', exact: true }).click()
  await dialog.getByText(end, { exact: true }).waitFor()
}
