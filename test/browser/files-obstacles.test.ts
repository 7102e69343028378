import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { skip } from '../../src/host/owner/testing/homes.ts'
import { assertSound, type Visit, type Watched } from './browser.ts'
import { type FilesPanel, openFilesPanel, visitFiles } from './files-panel.ts'
import * as files from './flows/files.ts'
import { settles } from './settles.ts'

const built = process.env['HOSTREEVE_ENTRY'] ?? new URL('../../dist/hostreeve.mjs', import.meta.url).pathname

describe('what stops work on files, in a browser', { skip }, () => {
  let panel: FilesPanel
  let browser: Browser
  let watched: Watched
  let visit: Visit
  const open = (path: string, page = 'files') => files.openPath(visit, page, path)

  before(async () => {
    panel = await openFilesPanel(`${dirname(built)}/web`)
    panel.put('site/notes.txt', 'notes')
    panel.put('site/locked.conf', 'locked')
    panel.put('large.log', Array.from({ length: 500_000 }, (_, line) => `line ${line + 1}\n`).join(''))
    ;({ browser, watched, visit } = await visitFiles(panel))
  })
  after(async () => {
    await browser?.close()
    if (panel) execFileSync('chattr', ['-R', '-f', '-i', panel.at()]) // a test that failed may have left a locked file
    await panel?.remove()
  })

  test('keeps a locked file from being changed, says so, and unlocks it where it is read', async () => {
    const { page } = visit
    await open('site')
    await files.act(visit, 'locked.conf', 'Lock')
    await page.getByText('locked.conf locked.').first().waitFor()
    await files.rowOf(visit, 'locked.conf').getByRole('img', { name: 'locked' }).waitFor() // the list was read again
    await files.focusRow(visit, 'locked.conf')
    for (const key of ['F2', 'Delete']) {
      await page.keyboard.press(key)
      await page.getByText('locked.conf is locked. Unlock first.').last().waitFor()
    }
    await settles(() => page.getByRole('dialog').count(), 0)
    await open('site/locked.conf', 'files/edit')
    await page.getByText('This file is locked').waitFor()
    await assertSound(page, 'a locked file')
    const again = page.waitForResponse((response) => response.url().includes('/api/filemanager/read?'))
    await page.getByRole('button', { name: 'Unlock' }).click()
    await again // the editor is made anew, as unlocking changes the etag
    await page.getByText('This file is locked').waitFor({ state: 'detached' })
    await page.getByLabel('Content of the file').fill('open')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The file was saved.').first().waitFor()
    assert.equal(readFileSync(panel.at('site/locked.conf'), 'utf8'), 'open')
  })

  test('shows a log that is too large for the editor from its end, and the parts before', async () => {
    const { page } = visit
    await open('large.log', 'files/edit')
    const part = page.getByLabel('Part of the file')
    await part.getByText('line 500000', { exact: true }).waitFor()
    await assertSound(page, 'a part of a large file')
    await settles(() => part.getAttribute('aria-readonly'), 'true')
    await page.getByRole('button', { name: 'Beginning' }).click()
    await part.getByText('line 1', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Later' }).click()
    await page.getByText('512 KiB to 1.0 MiB').waitFor()
    execFileSync('sh', ['-c', 'echo "the newest line" >> large.log'], { cwd: panel.at() })
    await page.getByRole('button', { name: 'End' }).click()
    await part.getByText('the newest line', { exact: true }).waitFor()
  })

  test('tells in the row of an upload that the connection was lost, and goes on by itself', async () => {
    const { page } = visit
    await open('site')
    let sent = 0
    await page.route(/\/api\/filemanager\/upload\/\d+\?/, (route) =>
      sent++ === 1 ? route.abort('connectionreset') : route.continue(),
    )
    const path = panel.at('../movie.bin')
    writeFileSync(path, Buffer.alloc(20_000_000, 'z'))
    await page.getByLabel('Files to upload').setInputFiles(path)
    await page.getByText(/The connection was lost; trying again/).waitFor()
    await page.getByText('Uploads complete').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    assert.equal(readFileSync(panel.at('site/movie.bin')).length, 20_000_000)
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
  })

  test('keeps what is being written when the session ends, and goes on with it after the next sign-in', async () => {
    const { page } = visit
    await open('site/notes.txt', 'files/edit')
    await page.getByLabel('Content of the file').fill('half a thought')
    await page.route(/\/api\//, (route) =>
      route.fulfill({
        status: 401,
        contentType: 'application/json',
        body: '{"error":{"code":"unauthorized","message":"Sign in"}}',
      }),
    )
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByLabel('E-mail').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.getByLabel('E-mail').fill(panel.alice.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(panel.alice.password)
    const isReadAgain = page.waitForResponse((answer) => answer.url().includes('/api/filemanager/stat'))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor({ state: 'detached' })
    await isReadAgain
    await assertSound(page, 'a text from before the session ended')
    await settles(() => page.getByText('Unsaved', { exact: true }).count(), 1)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The file was saved.').first().waitFor()
    assert.equal(readFileSync(panel.at('site/notes.txt'), 'utf8'), 'half a thought')
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})
