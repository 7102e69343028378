import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { aliceUid } from '../../src/areas/filemanager/testing/files-bench.ts'
import { skip } from '../../src/host/owner/testing/homes.ts'
import { assertSound, type Visit, type Watched } from './browser.ts'
import { type FilesPanel, openFilesPanel, visitFiles } from './files-panel.ts'
import * as files from './flows/files.ts'

const built = process.env['HOSTREEVE_ENTRY'] ?? new URL('../../dist/hostreeve.mjs', import.meta.url).pathname

describe('the content of files, in a browser', { skip }, () => {
  let panel: FilesPanel
  let browser: Browser
  let watched: Watched
  let visit: Visit
  const open = (path: string, page = 'files') => files.openPath(visit, page, path)

  before(async () => {
    panel = await openFilesPanel(`${dirname(built)}/web`)
    panel.put('site/index.html', '<h1>First</h1>\n')
    panel.put('site/notes.txt', 'one\ntwo\nthree\n')
    panel.put(
      'site/logo.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>document.title="run"</script><rect width="9" height="9"/></svg>',
    )
    panel.put('site/run.js', 'const a = 1')
    panel.put('letters/eleven.txt', 'ten')
    panel.put('letters/Archive/old.txt', 'old')
    ;({ browser, watched, visit } = await visitFiles(panel))
  })
  after(async () => {
    await browser?.close()
    await panel?.remove()
  })

  test('edits text, saves by key, and shows what another hand changed meanwhile', async () => {
    const { page } = visit
    await open('site/notes.txt', 'files/edit')
    await page.getByLabel('Content of the file').fill('one\n2\nthree\n')
    await assertSound(page, 'the editor')
    await page.getByLabel('Content of the file').press('Control+s')
    await page.getByText('The file was saved.').first().waitFor()
    panel.put('site/notes.txt', 'one\n2\nthree\nfour\n')
    await page.getByLabel('Content of the file').fill('one\n2\n3\n')
    await page.getByLabel('Content of the file').press('Control+s')
    const dialog = page.getByRole('dialog', { name: 'The file has changed' })
    await dialog.getByText('-four').waitFor()
    await assertSound(page, 'a conflict')
    await dialog.getByRole('button', { name: 'Overwrite with mine' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal(readFileSync(panel.at('site/notes.txt'), 'utf8'), 'one\n2\n3\n')
  })

  test('does not leave the editor with unsaved changes before it was asked to', async () => {
    const { page } = visit
    await open('site/index.html', 'files/edit')
    await page.getByLabel('Content of the file').fill('<h1>Second</h1>\n')
    await page.getByRole('link', { name: 'Back to the folder' }).click()
    await page
      .getByRole('dialog', { name: 'Unsaved changes' })
      .getByRole('button', { name: 'Stay here' })
      .click()
    await page.getByRole('link', { name: 'Back to the folder' }).click()
    await page.getByRole('button', { name: 'Leave without saving' }).click()
    await page.getByRole('grid', { name: 'Files' }).waitFor()
    assert.equal(readFileSync(panel.at('site/index.html'), 'utf8'), '<h1>First</h1>\n')
  })

  test('types over coloured text without an inline style, and encloses it in a bracket', async () => {
    const { page } = visit
    await open('site/run.js', 'files/edit')
    const area = page.getByLabel('Content of the file')
    await area.locator('span', { hasText: 'const' }).waitFor() // the colours are loaded
    await area.press('Control+a')
    await page.keyboard.type('(')
    await area.getByText('(const a = 1)').waitFor()
    await area.press('Control+a')
    await page.keyboard.type('let b')
    await area.press('Control+s')
    await page.getByText('The file was saved.').first().waitFor()
    assert.equal(readFileSync(panel.at('site/run.js'), 'utf8'), 'let b')
    assert.deepEqual(watched.complaints, [])
  })

  test('goes back to an earlier version after showing what differs', async () => {
    const { page } = visit
    await open('site/notes.txt', 'files/history')
    await page.getByRole('button', { name: /^View/ }).last().waitFor()
    await assertSound(page, 'the history')
    await page.getByRole('button', { name: /^View/ }).last().click()
    await page.getByText('+two').waitFor()
    await assertSound(page, 'a version')
    await page.getByRole('button', { name: 'Restore this version' }).click()
    await page.getByText('Restored notes.txt to the version saved').first().waitFor()
    assert.equal(readFileSync(panel.at('site/notes.txt'), 'utf8'), 'one\ntwo\nthree\n')
  })

  test('shows an SVG as a picture that runs nothing', async () => {
    const { page } = visit
    await open('site')
    await files.act(visit, 'logo.svg', 'Details')
    await page.getByRole('img', { name: 'logo.svg' }).waitFor()
    await assertSound(page, 'the details')
    assert.notEqual(await page.title(), 'run')
    await page.keyboard.press('Escape')
  })

  test('downloads a file as it is, and a folder as an archive', async () => {
    await open('')
    assert.match(
      await files.download(visit, 'site', 'Download as tar.gz', 'site.tar.gz', ['tar', '-tzf', '-']),
      /notes\.txt/,
    )
    await open('site')
    assert.equal(
      await files.download(visit, 'notes.txt', 'Download', 'notes.txt', ['cat']),
      readFileSync(panel.at('site/notes.txt'), 'utf8'),
    )
    await assertSound(visit.page, 'the downloads')
  })

  test('packs a folder, opens the archive as a list, and unpacks it from there', async () => {
    const { page } = visit
    await open('')
    await files.act(visit, 'letters', 'Compress …')
    await assertSound(page, 'packing')
    await page.getByLabel('Format').selectOption('.tar.gz')
    await page.getByRole('dialog').getByRole('button', { name: 'Compress', exact: true }).click()
    await page.getByRole('link', { name: 'letters.tar.gz' }).waitFor()
    await page.getByRole('link', { name: 'letters.tar.gz' }).press('Enter')
    await page.getByText('4 entries · 6 B unpacked').waitFor()
    const table = page.getByRole('table', { name: 'Entries of the archive' })
    await table
      .getByRole('row')
      .nth(1)
      .filter({ hasText: /letters/ })
      .waitFor()
    await assertSound(page, 'the entries of an archive')
    await table.getByRole('columnheader', { name: 'Size' }).getByRole('button').click()
    await table.getByRole('columnheader', { name: 'Size' }).getByRole('button').click()
    await table.getByRole('row').nth(1).filter({ hasText: 'letters/' }).filter({ hasText: '3 B' }).waitFor()
    await page.getByLabel('Filter by path').fill('OLD')
    await page.getByText('1–1 of 1').waitFor()
    await page.getByRole('button', { name: 'Extract', exact: true }).click()
    await page.getByLabel(/Into a folder of its own/).check()
    await files.confirm(visit, 'Extract')
    await page.getByText('letters.tar.gz was extracted').first().waitFor()
    assert.equal(readFileSync(panel.at('letters/letters/Archive/old.txt'), 'utf8'), 'old')
  })

  test('says why an archive cannot be opened', async () => {
    panel.put('broken.zip', 'no archive')
    await open('broken.zip', 'files/edit')
    await visit.page.getByText('This archive cannot be opened').waitFor()
    await visit.page.getByText('broken.zip: it is not a tar archive, or is damaged').waitFor()
    await assertSound(visit.page, 'a file that is no archive')
  })

  test('throws away, puts back, and removes for good only where that is asked for', async () => {
    const { page } = visit
    await open('letters')
    await files.deleteEntry(visit, 'eleven.txt')
    await page.getByRole('link', { name: 'Trash', exact: true }).click()
    await page.getByRole('button', { name: 'Put back eleven.txt' }).waitFor()
    await assertSound(page, 'the trash')
    await page.getByRole('button', { name: 'Put back eleven.txt' }).click()
    await page.getByText('The trash is empty').waitFor()
    assert.ok(existsSync(panel.at('letters/eleven.txt')))
    await open('letters')
    await files.act(visit, 'eleven.txt', 'Delete …')
    await page.getByLabel('Delete permanently').check()
    await page.getByText('This cannot be undone').waitFor()
    await files.confirm(visit, 'Delete permanently')
    await page.getByRole('link', { name: 'Trash', exact: true }).click()
    await page.getByText('The trash is empty').waitFor()
    assert.equal(existsSync(panel.at('letters/eleven.txt')), false)
  })

  test('finds lines by what they say, and opens the file there', async () => {
    const { page } = visit
    await open('', 'files/search')
    await page.getByLabel('Search for').fill('THREE')
    await page.getByText('Contents', { exact: true }).click()
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('link', { name: 'notes.txt:3' }).waitFor()
    await assertSound(page, 'what was found')
    await page.getByRole('link', { name: 'notes.txt:3' }).click()
    await page.locator('.cm-activeLine').filter({ hasText: 'three' }).waitFor()
  })

  test('works on names that are not UTF-8', async () => {
    const { page } = visit
    execFileSync('bash', ['-c', "mkdir $'odd\\xff' && printf inside > $'odd\\xff/caf\\xe9.txt'"], {
      cwd: panel.at(),
    })
    execFileSync('bash', ['-c', `chown -R ${aliceUid}:${aliceUid} odd*`], { cwd: panel.at() })
    await open('')
    await page.getByRole('grid').getByRole('link', { name: 'odd\\xFF' }).click()
    await page.getByRole('grid').getByRole('link', { name: 'caf\\xE9.txt' }).click()
    await page.getByLabel('Content of the file').getByText('inside').waitFor()
    await page.getByRole('link', { name: 'Back to the folder' }).click()
    await files.act(visit, 'caf\\xE9.txt', 'Rename')
    await page.getByLabel('New name of caf\\xE9.txt').fill('café.txt')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'café.txt' }).waitFor()
    assert.equal(
      execFileSync('bash', ['-c', "cat $'odd\\xff/café.txt'"], { cwd: panel.at(), encoding: 'utf8' }),
      'inside',
    )
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})
