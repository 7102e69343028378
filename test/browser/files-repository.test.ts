import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { aliceUid } from '../../src/areas/filemanager/testing/files-bench.ts'
import { skip } from '../../src/host/owner/testing/homes.ts'
import { assertSound, type Visit, type Watched } from './browser.ts'
import { type FilesPanel, openFilesPanel, visitFiles } from './files-panel.ts'
import * as files from './flows/files.ts'

const built = process.env['HOSTREEVE_ENTRY'] ?? new URL('../../dist/hostreeve.mjs', import.meta.url).pathname

describe('a new repository, in a browser', { skip }, () => {
  let panel: FilesPanel
  let browser: Browser
  let watched: Watched
  let visit: Visit
  const open = (path: string, page = 'files') => files.openPath(visit, page, path)

  before(async () => {
    panel = await openFilesPanel(`${dirname(built)}/web`)
    panel.put('site/index.html', '<h1>First</h1>\n')
    panel.put('site/notes.txt', 'one\n')
    panel.put('site/logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"></svg>')
    ;({ browser, watched, visit } = await visitFiles(panel))
  })
  after(async () => {
    await browser?.close()
    await panel?.remove()
  })

  test('puts a folder under version control, commits, and shows what changed', async () => {
    const { page } = visit
    await open('site', 'files/vcs')
    await page.getByRole('button', { name: 'Initialise repository' }).click()
    await page.getByRole('button', { name: 'Initialise', exact: true }).click()
    await page.getByLabel('Choose site/logo.svg').uncheck()
    await page.getByLabel('Commit message').fill('Begin the site')
    await assertSound(page, 'what changed')
    await page.getByRole('button', { name: /^Commit \d+ files$/ }).click()
    await page.getByText('0 of 1 chosen').waitFor()
    await page.getByRole('tab', { name: 'Commits' }).click()
    await page.getByRole('button', { name: 'Begin the site' }).click()
    await page.getByText('+<h1>First</h1>').waitFor()
    await assertSound(page, 'a commit')
    assert.equal(files.gitOf(panel.at('site'), aliceUid, 'log', '--format=%s'), 'Begin the site\n')
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})
