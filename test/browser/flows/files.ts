import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Locator } from 'playwright-core'
import type { Visit } from '../browser.ts'
import { settles } from '../settles.ts'

interface NamedBytes {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** Opens the files of the website on the current page. */
export async function openFiles({ page }: Visit): Promise<void> {
  await page.getByRole('link', { name: 'Open the files' }).click()
  await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor()
}

/** Uploads a file into the open folder. */
export async function uploadFile({ page }: Visit, file: NamedBytes): Promise<void> {
  await page.getByLabel('Files to upload').setInputFiles(file)
  await page.getByRole('button', { name: `Actions for ${file.name}` }).waitFor()
}

/** Creates a folder in the open folder. */
export async function makeFolder({ page }: Visit, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'New folder' }).click()
  const dialog = page.getByRole('dialog', { name: 'New folder' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create the folder' }).click()
  await page.getByRole('link', { name, exact: true }).waitFor()
}

/** Opens a text file in the open folder and saves it with new content. */
export async function editFile({ page }: Visit, name: string, content: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByLabel('Content of the file').fill(content)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
}

/** Extracts an archive in the open folder. */
export async function unpack(visit: Visit, name: string): Promise<void> {
  await act(visit, name, 'Extract …')
  await confirm(visit, 'Extract')
}

/** Deletes an entry of the open folder after its plan was shown. */
export async function deleteEntry(visit: Visit, name: string): Promise<void> {
  await act(visit, name, 'Delete …')
  await confirm(visit, 'Move to the trash')
  await visit.page.getByRole('button', { name: `Actions for ${name}` }).waitFor({ state: 'detached' })
}

/** Runs an action on an entry from its menu. */
export async function act({ page }: Visit, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action }).first().click()
}

/** Confirms the plan of a dialog. */
export async function confirm({ page }: Visit, label: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  const button = dialog.getByRole('button', { name: label, exact: true })
  await button.and(page.locator(':enabled')).waitFor()
  await button.click()
  await dialog.waitFor({ state: 'detached' })
}

/** Opens a file page at a path. */
export async function openPath({ baseUrl, page }: Visit, under: string, path: string): Promise<void> {
  await page.goto(`${baseUrl}/${under}?${new URLSearchParams({ path })}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Returns the names of the rendered rows, from the top. */
export async function namesShown({ page }: Visit): Promise<readonly string[]> {
  const links = page.getByRole('grid', { name: 'Files' }).getByRole('link')
  await links.first().waitFor()
  return links.allTextContents()
}

/** Focuses the row of an entry. */
export async function focusRow(visit: Visit, name: string): Promise<void> {
  await rowOf(visit, name).focus()
}

/** Returns the row of an entry. */
export function rowOf({ page }: Visit, name: string): Locator {
  return page
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: `Actions for ${name}`, exact: true }) })
}

/** Drops a file of the local machine on an entry. */
export async function dropFile(
  visit: Visit,
  name: string,
  file: { readonly name: string; readonly text: string },
): Promise<void> {
  const dataTransfer = await visit.page.evaluateHandle(
    `(() => { const carried = new DataTransfer(); carried.items.add(new File([${JSON.stringify(file.text)}], ${JSON.stringify(file.name)})); return carried })()`,
  )
  for (const type of ['dragover', 'drop']) await rowOf(visit, name).dispatchEvent(type, { dataTransfer })
}

/** Chooses a top-level folder of the home in a dialog. */
export async function chooseFolder({ page }: Visit, name: string): Promise<void> {
  const tree = page.getByRole('tree', { name: 'Folders to choose from' })
  await tree.getByRole('treeitem', { name, exact: true }).click()
  await tree.getByRole('treeitem', { name, exact: true, selected: true }).waitFor()
}

/** Lets a number of upload parts through and holds back the rest. */
export async function holdParts({ page }: Visit, count: number): Promise<void> {
  let passed = 0
  await page.route(/\/api\/filemanager\/upload\/\d+\?/, (route) =>
    passed++ < count ? route.continue() : undefined,
  )
}

/** Releases the parts that `holdParts` holds back. */
export async function letPartsGo({ page }: Visit): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
}

/** Leaves a page despite its warning. */
export async function leaveAnyway({ page }: Visit, leave: () => Promise<unknown>): Promise<void> {
  page.once('dialog', (dialog) => void dialog.accept())
  await leave()
}

/** Returns the output of git in a folder, run as its owner. */
export function gitOf(folder: string, uid: number, ...args: readonly string[]): string {
  const argv = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', 'git', '-C', folder, ...args]
  return execFileSync('setpriv', argv, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: '/nonexistent' },
  })
}

/** Downloads an entry and returns the output of a program for the saved file. */
export async function download(
  { page }: Visit,
  name: string,
  action: string,
  as: string,
  argv: readonly [string, ...string[]],
): Promise<string> {
  // as in a browser that keeps archives in memory until they are complete
  await page.evaluate('delete globalThis.showSaveFilePicker')
  const [kept] = await Promise.all([page.waitForEvent('download'), act({ baseUrl: '', page }, name, action)])
  assert.equal(kept.suggestedFilename(), as)
  const [program, ...args] = argv
  return execFileSync(program, args, { input: readFileSync(await kept.path()), encoding: 'utf8' })
}

/** Downloads a URL into the open folder and waits until the file exists. */
export async function fetchUrl({ page }: Visit, url: string): Promise<void> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Download from a URL' }).click()
  await page.getByRole('textbox', { name: 'URL' }).fill(url)
  await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click()
  await page.getByRole('dialog').getByText('Succeeded').waitFor()
}

/** Clones a repository into a new folder of the open folder. */
export async function cloneRepository({ page }: Visit, url: string): Promise<void> {
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Clone a repository' }).click()
  const dialog = page.getByRole('dialog', { name: 'Clone a repository' })
  await dialog.getByLabel('Address').fill(url)
  await settles(() => dialog.getByLabel('Folder').inputValue(), 'site')
  await dialog.getByLabel('Folder').fill('site (2)')
  await dialog.getByRole('button', { name: 'Clone', exact: true }).click()
}

/** Pulls into the open repository and waits for the result. */
export async function pull({ page }: Visit): Promise<void> {
  await page.getByRole('button', { name: 'Pull' }).click()
  const dialog = page.getByRole('dialog', { name: 'Pull from a remote' })
  await dialog.getByRole('button', { name: 'Pull', exact: true }).click()
  await dialog.getByText('Succeeded').waitFor()
}

/** Starts compressing an entry without waiting for the end. */
export async function pack(visit: Visit, name: string, format: string): Promise<void> {
  await act(visit, name, 'Compress …')
  const dialog = visit.page.getByRole('dialog')
  await dialog.getByLabel('Format').selectOption(format)
  await dialog.getByRole('button', { name: 'Compress', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Searches for a text with the options of the search page. */
export async function search({ page }: Visit, text: string): Promise<void> {
  await page.getByLabel('Search for').fill(text)
  await page.getByLabel('Search for').press('Enter')
}

/** Holds searches back until they are released. */
export async function holdSearch({ page }: Visit): Promise<{ release(): Promise<void> }> {
  const searches = /\/api\/filemanager\/search\/stream/
  await page.route(searches, () => undefined)
  return { release: () => page.unroute(searches) }
}

/** Returns the label or the text of the focused element. */
export function focused({ page }: Visit): Promise<string> {
  return page.evaluate<string>(
    'document.activeElement?.labels?.[0]?.textContent ?? document.activeElement?.textContent',
  )
}
