import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
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
const manyEntries = 5000

describe('the files in a browser', { skip }, () => {
  let panel: FilesPanel
  let browser: Browser
  let watched: Watched
  let visit: Visit
  const open = (path: string, page = 'files') => files.openPath(visit, page, path)
  const owned = (path: string) => execFileSync('chown', ['-R', `${aliceUid}:${aliceUid}`, panel.at(path)])

  before(async () => {
    panel = await openFilesPanel(`${dirname(built)}/web`)
    mkdirSync(panel.at('site'))
    owned('site')
    panel.put('letters/file10.txt', 'ten')
    panel.put('letters/file2.txt', 'two')
    panel.put('letters/Archive/old.txt', 'old')
    mkdirSync(panel.at('many'))
    for (let index = 1; index <= manyEntries; index++)
      writeFileSync(panel.at(`many/entry-${String(index).padStart(5, '0')}`), '')
    owned('many')
    ;({ browser, watched, visit } = await visitFiles(panel))
  })
  after(async () => {
    await browser?.close()
    if (panel) execFileSync('chattr', ['-R', '-f', '-i', panel.at()])
    await panel?.remove()
  })

  test('lists a folder with folders first and numbers by value, beside its tree, readable in each scheme and width', async () => {
    await open('letters')
    assert.deepEqual(await files.namesShown(visit), ['Archive', 'file2.txt', 'file10.txt'])
    await visit.page
      .getByRole('tree', { name: 'Folders' })
      .getByRole('treeitem', { name: 'letters', selected: true })
      .waitFor()
    await assertSound(visit.page, 'a folder')
  })

  test('chooses by keyboard, with the same actions in the toolbar and the menu', async () => {
    const { page } = visit
    await open('letters')
    await files.focusRow(visit, 'file2.txt')
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByRole('toolbar').getByText('2 selected').waitFor()
    await assertSound(page, 'a folder with a selection')
    await page.keyboard.press('Shift+F10')
    const menu = await page.getByRole('menuitem').allTextContents()
    for (const word of ['Download', 'Move to', 'Copy to', 'Compress', 'Permissions', 'Delete'])
      assert.ok(
        menu.some((each) => each.startsWith(word)),
        word,
      )
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await files.focusRow(visit, 'Archive')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'old.txt' }).waitFor()
  })

  test('renames in place, and keeps the ending out of the selection', async () => {
    const { page } = visit
    await open('letters')
    await files.focusRow(visit, 'file10.txt')
    await page.keyboard.press('F2')
    await page.getByLabel('New name of file10.txt').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('eleven')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'eleven.txt' }).waitFor()
    assert.equal(readFileSync(panel.at('letters/eleven.txt'), 'utf8'), 'ten')
  })

  test('goes through 5,000 entries with a handful of rows drawn', async () => {
    const { page } = visit
    await open('many')
    await page.getByText('5,000 entries').waitFor()
    await files.focusRow(visit, 'entry-00001')
    await page.keyboard.press('End')
    await page.getByRole('link', { name: 'entry-05000' }).waitFor()
    await settles(async () => (await page.getByRole('row').count()) < 80, true)
  })

  test('copies into another folder, and asks where the name is taken', async () => {
    const { page } = visit
    await open('letters')
    await files.act(visit, 'file2.txt', 'Copy to …')
    await assertSound(page, 'the choice of a folder')
    await files.chooseFolder(visit, 'site')
    await page.getByRole('button', { name: 'Copy here' }).click()
    await page.getByText('file2.txt copied to site.').first().waitFor()
    await files.act(visit, 'file2.txt', 'Copy to …')
    await files.chooseFolder(visit, 'site')
    await page.getByRole('button', { name: 'Copy here' }).click()
    await page.getByRole('dialog', { name: 'This name is taken' }).waitFor()
    await assertSound(page, 'a clash of names')
    await page.getByRole('button', { name: 'Keep both' }).click()
    await page.getByText('file2.txt copied to site.').nth(1).waitFor()
    assert.equal(readFileSync(panel.at('site/file2 (2).txt'), 'utf8'), 'two')
  })

  test('sets a mode by boxes and by number', async () => {
    const { page } = visit
    await open('letters')
    await files.act(visit, 'file2.txt', 'Permissions …')
    await assertSound(page, 'the permissions')
    await page.getByLabel('Others: read').uncheck()
    await settles(() => page.getByLabel('Octal').inputValue(), '640')
    await page.getByLabel('Octal').fill('4755')
    await settles(() => page.getByRole('button', { name: 'Set the permissions' }).isDisabled(), true)
    await page.getByLabel('Octal').fill('600')
    await page.getByRole('button', { name: 'Set the permissions' }).click()
    await page.getByText('now has the mode 600').first().waitFor()
    assert.equal(statSync(panel.at('letters/file2.txt')).mode & 0o777, 0o600)
  })

  test('uploads, and leaves out, replaces or keeps both where a name is taken', async () => {
    await open('letters')
    await files.uploadFile(visit, { name: 'fresh.txt', mimeType: 'text/plain', buffer: Buffer.from('fresh') })
    await visit.page
      .getByLabel('Files to upload')
      .setInputFiles({ name: 'fresh.txt', mimeType: 'text/plain', buffer: Buffer.from('newer') })
    await visit.page.getByRole('button', { name: 'Replace' }).click()
    await visit.page.getByText('Uploads complete').waitFor()
    assert.equal(readFileSync(panel.at('letters/fresh.txt'), 'utf8'), 'newer')
    await assertSound(visit.page, 'the uploads')
    await visit.page.getByRole('button', { name: 'Clear', exact: true }).click()
  })

  test('moves what is dragged onto a folder, and uploads what is dropped on one', async () => {
    const { page } = visit
    await open('letters')
    await files.rowOf(visit, 'fresh.txt').dragTo(files.rowOf(visit, 'Archive'))
    await page.getByText('fresh.txt moved to Archive.').first().waitFor()
    assert.ok(existsSync(panel.at('letters/Archive/fresh.txt')))
    await files.dropFile(visit, 'Archive', { name: 'dropped.txt', text: 'dropped' })
    await page.getByText('Uploads complete').waitFor()
    assert.equal(readFileSync(panel.at('letters/Archive/dropped.txt'), 'utf8'), 'dropped')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
  })

  test('goes on with a large upload after the page was loaded again', async () => {
    const { page } = visit
    await open('letters')
    const path = panel.at('../large.bin')
    writeFileSync(path, Buffer.alloc(40 * 1024 * 1024, 'abcdefg'))
    await files.holdParts(visit, 1)
    const second = page.waitForRequest(/\/upload\/\d+\?.*offset=16777216/) // the first part has arrived
    await page.getByLabel('Files to upload').setInputFiles(path)
    await page.getByText(/4\d %/).waitFor()
    await second
    await files.leaveAnyway(visit, () => page.reload())
    await files.letPartsGo(visit)
    await page.getByText('16 MiB of 40 MiB are here').waitFor()
    await assertSound(page, 'an unfinished upload')
    await page.getByLabel('Resume letters/large.bin').setInputFiles(path)
    await page.getByText('Uploads complete').waitFor()
    assert.deepEqual(readFileSync(panel.at('letters/large.bin')), readFileSync(path))
  })

  test('locks a folder after telling what that means, and unlocks it', async () => {
    await open('')
    await files.act(visit, 'letters', 'Lock')
    await files.confirm(visit, 'Lock')
    await visit.page
      .getByRole('row')
      .filter({ hasText: 'letters' })
      .getByRole('img', { name: 'locked' })
      .first()
      .waitFor()
    assert.match(execFileSync('lsattr', ['-d', panel.at('letters')], { encoding: 'utf8' }), /^\S*i/)
    await files.act(visit, 'letters', 'Unlock')
    await files.confirm(visit, 'Unlock')
    await visit.page.getByRole('img', { name: 'locked' }).waitFor({ state: 'detached' })
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})
