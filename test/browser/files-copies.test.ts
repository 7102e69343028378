import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
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
const largeBytes = 1024 ** 3
const heavies = ['heavy-1', 'heavy-2', 'heavy-3', 'heavy-4', 'heavy-5']

describe('copies, moves and new names of files, in a browser', { skip }, () => {
  let panel: FilesPanel
  let browser: Browser
  let watched: Watched
  let visit: Visit
  const open = (path: string) => files.openPath(visit, 'files', path)
  const rowOf = (text: string) =>
    visit.page.getByRole('region', { name: 'Transfers' }).getByRole('listitem').filter({ hasText: text })

  before(async () => {
    panel = await openFilesPanel(`${dirname(built)}/web`)
    panel.put('work/heavy-1/large.bin', Buffer.alloc(largeBytes, 'x'))
    for (const name of heavies.slice(1)) {
      mkdirSync(panel.at(`work/${name}`))
      linkSync(panel.at('work/heavy-1/large.bin'), panel.at(`work/${name}/large.bin`))
    }
    panel.put('target/keep.txt', 'kept')
    panel.put('new/site/index.html', 'new')
    panel.put('new/site/deep/more.txt', 'more')
    panel.put('old/site/index.html', 'old')
    panel.put('old/site/deep/own.txt', 'own')
    panel.put('mixed/name', 'a file')
    mkdirSync(panel.at('other/name'), { recursive: true })
    panel.put('names/line\nbreak.txt', 'kept')
    execFileSync('chown', ['-R', `${aliceUid}:${aliceUid}`, panel.at('work'), panel.at('other')])
    ;({ browser, watched, visit } = await visitFiles(panel))
  })
  after(async () => {
    await browser?.close()
    await panel?.remove()
  })

  test('tells how far a copy is while other folders are looked at, and stops on request with nothing left in part', async () => {
    const { page } = visit
    await open('work')
    await page.getByRole('row').nth(1).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+c')
    await files.chooseFolder(visit, 'target')
    await page.getByRole('button', { name: 'Copy here' }).click()
    const row = rowOf('heavy-1 and 4 more')
    await row.getByText(/Copying \d+ %/).waitFor()
    await page.reload()
    await row.getByText(/Copying \d+ % · [1-5] of 5: heavy-[1-5]/).waitFor()
    await page.getByRole('button', { name: 'Cancel heavy-1 and 4 more' }).click()
    await row.waitFor({ state: 'detached' })
    assert.ok(!existsSync(panel.at('target/heavy-5')))
    assert.deepEqual(
      readdirSync(panel.at('target')).filter((name) => name.startsWith('.')),
      [],
    )
  })

  test('says what of many could not be placed, and why', async () => {
    const { page } = visit
    panel.put('many/a.txt', 'a')
    panel.put('many/b.txt', 'b')
    await open('many')
    await page.getByRole('row').nth(1).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+x')
    await files.chooseFolder(visit, 'target')
    execFileSync('rm', [panel.at('many/a.txt')])
    await page.getByRole('button', { name: 'Move here' }).click()
    await rowOf('a.txt and 1 more')
      .getByRole('alert')
      .getByText(/^1 of 2 done\. Failed: many\/a\.txt/)
      .waitFor()
    assert.equal(readFileSync(panel.at('target/b.txt'), 'utf8'), 'b')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
  })

  test('joins folders of one name where that is chosen, and replaces the files in them', async () => {
    const { page } = visit
    await open('new')
    await files.act(visit, 'site', 'Move to …')
    await files.chooseFolder(visit, 'old')
    await page.getByRole('button', { name: 'Move here' }).click()
    await page.getByRole('button', { name: 'Merge, replacing files' }).click()
    await page.getByText('site moved to old.').first().waitFor()
    const read = (path: string) => readFileSync(panel.at(path), 'utf8')
    assert.deepEqual(
      [read('old/site/index.html'), read('old/site/deep/own.txt'), read('old/site/deep/more.txt')],
      ['new', 'own', 'more'],
    )
    assert.deepEqual(readdirSync(panel.at('new')), [])
    assert.deepEqual(readdirSync(panel.at('old/site')).toSorted(), ['deep', 'index.html'])
  })

  test('offers no replacing where a file meets a folder', async () => {
    const { page } = visit
    await open('mixed')
    await files.act(visit, 'name', 'Copy to …')
    await files.chooseFolder(visit, 'other')
    await page.getByRole('button', { name: 'Copy here' }).click()
    const dialog = page.getByRole('dialog', { name: 'This name is taken' })
    await dialog.getByRole('button', { name: 'Keep both' }).waitFor()
    await settles(() => dialog.getByRole('button', { name: /Replac|Merge/ }).count(), 0)
    await dialog.getByRole('button', { name: 'Skip', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(readdirSync(panel.at('other')), ['name'])
  })

  test('keeps the bytes of a name that no field can hold, and a new name that is refused', async () => {
    const { page } = visit
    await open('names')
    await files.focusRow(visit, 'line\\nbreak.txt')
    await page.keyboard.press('F2')
    await page.getByText('stays as it is where you leave it').waitFor()
    await assertSound(page, 'the new name of a name with a line break')
    await page.keyboard.press('End')
    await page.keyboard.type('x')
    await page.keyboard.press('Enter')
    await files.rowOf(visit, 'line\\nbreak.txtx').waitFor()
    assert.equal(readFileSync(panel.at('names/line\nbreak.txtx'), 'utf8'), 'kept')
    panel.put('names/taken.txt', 'taken')
    await open('names')
    await files.focusRow(visit, 'taken.txt')
    await page.keyboard.press('F2')
    const field = page.getByLabel('New name of taken.txt')
    await field.fill('line\\nbreak.txtx')
    await page.keyboard.press('Escape')
    panel.put('names/other.txt', 'other')
    await open('names')
    await files.focusRow(visit, 'taken.txt')
    await page.keyboard.press('F2')
    await field.fill('other.txt')
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .getByText(/already/)
      .waitFor()
    await assertSound(page, 'a new name that is refused')
    await settles(() => field.inputValue(), 'other.txt')
    await field.fill('  ')
    await page.keyboard.press('Enter')
    await page.getByText('A name must contain more than spaces.').waitFor()
    await field.fill('another.txt')
    await page.keyboard.press('Enter')
    await files.rowOf(visit, 'another.txt').and(page.locator(':focus')).waitFor()
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})
