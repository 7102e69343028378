import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { aliceUid } from '../../src/areas/filemanager/testing/files-bench.ts'
import { skip } from '../../src/host/owner/testing/homes.ts'
import { assertSound, type Visit, type Watched } from './browser.ts'
import { type FilesPanel, openFilesPanel, visitFiles } from './files-panel.ts'
import * as files from './flows/files.ts'
import { settles } from './settles.ts'

const built = process.env['HOSTREEVE_ENTRY'] ?? new URL('../../dist/hostreeve.mjs', import.meta.url).pathname

describe('what a user of the files runs into, in a browser', { skip }, () => {
  let panel: FilesPanel
  let browser: Browser
  let watched: Watched
  let visit: Visit
  const open = (path: string, page = 'files') => files.openPath(visit, page, path)
  /** Waits until the row of an entry has the focus. */
  const onRow = (name: string) => files.rowOf(visit, name).and(visit.page.locator(':focus')).waitFor()

  before(async () => {
    panel = await openFilesPanel(`${dirname(built)}/web`)
    panel.put('site/index.html', '<h1>')
    panel.put('site/notes.txt', 'notes')
    panel.put('site/locked.conf', 'locked')
    panel.put('site/inner/deep.txt', 'deep')
    panel.put('gone/once.txt', 'first')
    panel.put('gone/twice.txt', 'second')
    panel.put('odd/two\nlines', 'x')
    for (const folder of ['site/empty', 'closed']) mkdirSync(panel.at(folder))
    execFileSync('chown', [`${aliceUid}:${aliceUid}`, panel.at('site/empty'), panel.at('closed')])
    chmodSync(panel.at('closed'), 0)
    ;({ browser, watched, visit } = await visitFiles(panel))
  })
  after(async () => {
    await browser?.close()
    await panel?.remove()
  })

  test('gives the keyboard back to its row after a dialog, a menu and a new name', async () => {
    const { page } = visit
    await open('site')
    await files.focusRow(visit, 'index.html')
    for (const [key, opened] of [
      ['Delete', 'dialog'],
      ['Alt+Enter', 'dialog'],
      ['Control+c', 'dialog'],
      ['Shift+F10', 'menu'],
    ] as const) {
      await page.keyboard.press(key)
      await page.getByRole(opened).and(page.locator(':focus-within')).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole(opened).waitFor({ state: 'detached' })
      await onRow('index.html')
    }
    await page.keyboard.press('F2')
    await page.getByLabel('New name of index.html').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('zebra.html')
    await page.keyboard.press('Enter')
    await onRow('zebra.html')
  })

  test('takes the keyboard along into a folder and back to where it came from, also through an empty one', async () => {
    const { page } = visit
    await open('')
    await files.focusRow(visit, 'site')
    await page.keyboard.press('Enter')
    await onRow('empty')
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: 'No entries' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Backspace')
    await onRow('empty')
    await page.keyboard.press('Backspace')
    await onRow('site')
  })

  test('says why a folder is not shown, and where to go from there', async () => {
    const { page } = visit
    await open('site/absent')
    await page.getByText('This folder does not exist').waitFor()
    await assertSound(page, 'a folder that does not exist')
    await page.getByRole('link', { name: 'Go to site' }).click()
    await page.getByRole('link', { name: 'notes.txt' }).waitFor()
    await open('closed')
    await page.getByText('closed belongs to alice and has the mode 000.').waitFor()
    await open('site/notes.txt')
    await page.getByRole('link', { name: 'Open notes.txt' }).click()
    await page.getByLabel('Content of the file').waitFor()
    await open('site', 'files/edit')
    await page.getByRole('link', { name: 'Open the folder' }).click()
    await page.getByRole('link', { name: 'notes.txt' }).waitFor()
  })

  test('names what a bulk deletion means, and raises no alarm for the trash', async () => {
    const { page } = visit
    await open('site')
    await page.getByRole('row').nth(1).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('listitem').filter({ hasText: 'inner · folder with everything in it' }).waitFor()
    await dialog.getByText('Throw away 5 paths').waitFor()
    await settles(() => dialog.getByText('This cannot be undone').count(), 0)
    await dialog.getByLabel('Delete permanently').check()
    await dialog.getByText('This cannot be undone').waitFor()
    await assertSound(page, 'the deletion of many')
    await page.keyboard.press('Escape')
  })

  test('shows what nobody sees in a name, and keeps it where a new name is not given', async () => {
    const { page } = visit
    await open('odd')
    await files.focusRow(visit, 'two\\nlines')
    await page.keyboard.press('F2')
    await page.getByRole('textbox').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await onRow('two\\nlines')
    assert.equal(readFileSync(panel.at('odd/two\nlines'), 'utf8'), 'x')
  })

  test('puts back of many what can be, and says what stands in the way of the others', async () => {
    const { page } = visit
    await open('gone')
    await page.getByRole('row').nth(1).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await files.confirm(visit, 'Move to the trash')
    panel.put('gone/once.txt', 'in the way')
    await open('', 'files/trash')
    for (const name of ['once.txt', 'twice.txt']) await page.getByLabel(`Select ${name}`).check()
    await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Put back' }).click()
    await page.getByText('1 of 2 entries are back.').first().waitFor()
    await page.getByText(/gone\/once\.txt .*already.*\. Rename or move what stands there/).waitFor()
    assert.deepEqual(
      [readFileSync(panel.at('gone/once.txt'), 'utf8'), readFileSync(panel.at('gone/twice.txt'), 'utf8')],
      ['in the way', 'second'],
    )
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})
