import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
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

describe('work on files that takes its time, in a browser', { skip }, () => {
  let panel: FilesPanel
  let browser: Browser
  let watched: Watched
  let visit: Visit
  const open = (path: string, page = 'files') => files.openPath(visit, page, path)

  before(async () => {
    panel = await openFilesPanel(`${dirname(built)}/web`)
    panel.put('site/notes.txt', 'one\ntwo\nthree\n')
    panel.put('site/pictures/one.txt', '1')
    panel.put('heavy/noise.bin', randomBytes(96 * 1024 * 1024))
    mkdirSync(panel.at('many'))
    for (let index = 1; index <= manyEntries; index++)
      writeFileSync(panel.at(`many/entry-${String(index).padStart(5, '0')}`), '')
    execFileSync('chown', ['-R', `${aliceUid}:${aliceUid}`, panel.at('many')])
    ;({ browser, watched, visit } = await visitFiles(panel))
  })
  after(async () => {
    await browser?.close()
    await panel?.remove()
  })

  test('packs beside what is packed, and takes another name where it is taken', async () => {
    await open('site')
    panel.put('site/pictures.zip', 'taken')
    await files.pack(visit, 'pictures', '.zip')
    await visit.page.getByRole('link', { name: 'pictures (2).zip' }).waitFor()
    assert.equal(readFileSync(panel.at('site/pictures.zip'), 'utf8'), 'taken')
    assert.ok(!existsSync(panel.at('pictures.zip')))
  })

  test('tells how far a large archive is while other folders are looked at, and stops on request', async () => {
    const { page } = visit
    await open('')
    await files.pack(visit, 'heavy', '.tar.xz')
    const row = page
      .getByRole('region', { name: 'Transfers' })
      .getByRole('listitem')
      .filter({ hasText: 'heavy.tar.xz' })
    await row.getByText(/Compressing \d+ %/).waitFor()
    await page.getByRole('grid').getByRole('link', { name: 'site', exact: true }).click()
    await page.getByRole('link', { name: 'notes.txt' }).waitFor()
    await page.getByText('Compressing 1', { exact: true }).waitFor()
    await assertSound(page, 'an archive on its way')
    await page.getByRole('button', { name: 'Cancel heavy.tar.xz' }).click()
    await row.waitFor({ state: 'detached' })
    assert.deepEqual(
      readdirSync(panel.at()).filter((name) => /heavy\.|hostreeve-tmp/.test(name)),
      [],
    )
  })

  test('says in the words of the panel why an archive cannot be unpacked', async () => {
    const { page } = visit
    execFileSync('tar', ['-czf', 'site/spoilt.tar.gz', '-C', 'site', 'notes.txt'], { cwd: panel.at() })
    chownSync(panel.at('site/spoilt.tar.gz'), aliceUid, aliceUid)
    await open('site')
    await files.act(visit, 'spoilt.tar.gz', 'Extract …')
    await page.getByRole('dialog').getByText('Replaces 1 file').waitFor()
    panel.put('site/spoilt.tar.gz', 'no archive any more')
    await files.confirm(visit, 'Extract')
    const row = page
      .getByRole('region', { name: 'Transfers' })
      .getByRole('listitem')
      .filter({ hasText: 'spoilt.tar.gz' })
    await row
      .getByRole('alert')
      .getByText(/^site\/spoilt\.tar\.gz\b/)
      .waitFor()
    await assertSound(page, 'an archive that failed')
    await row.getByRole('button', { name: 'Dismiss spoilt.tar.gz' }).click()
    await row.waitFor({ state: 'detached' })
  })

  test('shows what a search finds as it comes, goes through it by keyboard, and says that it is cut', async () => {
    const { page } = visit
    await open('', 'files/search')
    await files.search(visit, 'ENTRY')
    await page.getByText('The first 1,000 results; narrow the search to see the others').waitFor()
    await page.getByLabel('Search for').press('ArrowDown')
    const found = page.getByRole('list', { name: 'Results' }).getByRole('link', { name: /^entry-/ })
    await page.keyboard.press('ArrowDown')
    assert.equal(await files.focused(visit), await found.nth(1).textContent())
    await page.keyboard.press('Escape')
    assert.equal(await files.focused(visit), 'Search for')
  })

  test('narrows a search by case, by a pattern, and by the names of files', async () => {
    const { page } = visit
    await open('site', 'files/search')
    await page.getByLabel('Pattern for the whole name').check()
    await files.search(visit, '*.TXT')
    await page.getByText('2 results').waitFor()
    await assertSound(page, 'what was found')
    await page.getByLabel('Match case').check()
    await files.search(visit, '*.TXT')
    await page.getByText('No results').waitFor()
    await page.getByText('Contents', { exact: true }).click()
    await page.getByLabel('Match case').uncheck()
    await page.getByLabel('Only in files named').fill('*.md')
    await files.search(visit, 'TWO')
    await page.getByText('No results').waitFor()
    await page.getByLabel('Only in files named').fill('*.txt')
    await files.search(visit, 'TWO')
    await page.getByRole('link', { name: 'notes.txt:2' }).click()
    await page.locator('.cm-activeLine').filter({ hasText: 'two' }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'notes.txt:2' }).waitFor()
    await settles(() => page.getByLabel('Only in files named').inputValue(), '*.txt')
  })

  test('stops a search that goes on, and keeps what it found', async () => {
    const { page } = visit
    await open('', 'files/search')
    const held = await files.holdSearch(visit)
    await files.search(visit, 'notes')
    await page.getByText('Searching …').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped after 0 results; there may be more').waitFor()
    await held.release()
    await files.search(visit, 'notes')
    await page.getByText('1 result').waitFor()
  })

  test('has folders first and narrows by a part of the name where there are thousands of entries', async () => {
    const { page } = visit
    panel.put('many/zz-folder/inside.txt', '')
    await open('many')
    await page.getByText('5,001 entries').waitFor()
    await page.getByRole('row').nth(1).filter({ hasText: 'zz-folder' }).waitFor()
    await page.getByLabel('Filter this folder').fill('Y-0499')
    await page.getByText('10 of 5,001 entries').waitFor()
    assert.deepEqual(
      await files.namesShown(visit),
      Array.from({ length: 10 }, (_, at) => `entry-0499${at}`),
    )
    await assertSound(page, 'a large folder that is narrowed')
    await page.getByLabel('Filter this folder').fill('nowhere')
    await page.getByText('No entry matches the filter').waitFor()
    await page.getByLabel('Filter this folder').fill('')
    await page.getByText('5,001 entries', { exact: true }).waitFor()
  })

  test('gives a mode to the files of a folder and closes no folder', async () => {
    const { page } = visit
    await open('')
    await files.act(visit, 'site', 'Permissions …')
    await page.getByLabel('Octal').fill('640')
    await page.getByText('Without execute permission for the owner').waitFor()
    await page.getByLabel('The files in it only').check()
    await page.getByText('Without execute permission for the owner').waitFor({ state: 'detached' })
    await assertSound(page, 'the permissions of a folder')
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page.getByRole('button', { name: 'Set the permissions' }).and(page.locator(':enabled')).click()
    await page.getByText('The files in site now have the mode 640.').first().waitFor()
    const modes = ['site', 'site/pictures', 'site/notes.txt', 'site/pictures/one.txt'].map(
      (path) => statSync(panel.at(path)).mode & 0o777,
    )
    assert.deepEqual(modes, [0o755, 0o755, 0o640, 0o640])
  })

  test('tells what emptying the trash frees, with what is in its folders', async () => {
    const { page } = visit
    panel.put('old/deep/large.bin', Buffer.alloc(5 * 1024 * 1024))
    await open('')
    await files.deleteEntry(visit, 'old')
    await page.getByRole('link', { name: 'Trash', exact: true }).click()
    await page.getByRole('button', { name: 'Empty the trash' }).click()
    await page.getByText(/This frees about 5(\.0)? MiB\./).waitFor()
    await assertSound(page, 'what emptying the trash does')
    await files.confirm(visit, 'Empty the trash')
    await page.getByText('The trash is empty', { exact: true }).waitFor()
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})
