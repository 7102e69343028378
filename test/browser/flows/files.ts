import type { Visit } from '../browser.ts'

interface NamedBytes {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** Opens the files of the website whose page is open. */
export async function openFiles({ page }: Visit): Promise<void> {
  await page.getByRole('link', { name: 'Open the files' }).click()
  await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor()
}

/** Uploads a file into the folder that is open. */
export async function uploadFile({ page }: Visit, file: NamedBytes): Promise<void> {
  await page.getByLabel('Files to upload').setInputFiles(file)
  await page.getByRole('button', { name: `Actions for ${file.name}` }).waitFor({ timeout: 30_000 })
}

/** Makes a folder in the folder that is open. */
export async function makeFolder({ page }: Visit, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'New folder' }).click()
  const dialog = page.getByRole('dialog', { name: 'New folder' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Make the folder' }).click()
  await page.getByRole('link', { name, exact: true }).waitFor()
}

/** Opens a text file of the folder that is open, and saves it with another content. */
export async function editFile({ page }: Visit, name: string, content: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByLabel('Content of the file').fill(content)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
}

/** Unpacks an archive of the folder that is open. */
export async function unpack(visit: Visit, name: string): Promise<void> {
  await choose(visit, name, 'Extract …')
  await confirm(visit, 'Extract')
}

/** Deletes an entry of the folder that is open, after its plan was shown. */
export async function deleteEntry(visit: Visit, name: string): Promise<void> {
  await choose(visit, name, 'Delete …')
  await confirm(visit, 'Move to the trash')
  await visit.page.getByRole('button', { name: `Actions for ${name}` }).waitFor({ state: 'detached' })
}

async function choose({ page }: Visit, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

async function confirm({ page }: Visit, label: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  const button = dialog.getByRole('button', { name: label, exact: true })
  await button.and(page.locator(':enabled')).waitFor({ timeout: 30_000 })
  await button.click()
  await dialog.waitFor({ state: 'detached', timeout: 30_000 })
}
