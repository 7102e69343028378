import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { aliceUid } from '../../src/areas/filemanager/testing/files-bench.ts'
import { skip } from '../../src/host/owner/testing/homes.ts'
import { assertSound, openBrowser, openPage } from './browser.ts'
import { type FilesPanel, openFilesPanel } from './files-panel.ts'
import * as files from './flows/files.ts'
import { signIn } from './flows/sign-in.ts'
import { openGitDoor } from './git-door.ts'

const built = process.env['HOSTREEVE_ENTRY'] ?? new URL('../../dist/hostreeve.mjs', import.meta.url).pathname

describe('the files of others, in a browser', { skip }, () => {
  let panel: FilesPanel
  let browser: Browser

  before(async () => {
    panel = await openFilesPanel(`${dirname(built)}/web`)
    panel.put('site/index.html', '<h1>First</h1>\n')
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await panel?.remove()
  })

  test('lets a superuser choose whose files, and bring some from elsewhere: by a URL, and by git', async () => {
    const admin = await panel.panel.person({ isAdmin: true })
    using door = await openGitDoor({ 'readme.md': 'Cloned\n' })
    const { page, context, complaints } = await openPage(browser)
    const view = { baseUrl: panel.baseUrl, page }
    await signIn(view, admin)
    await page.goto(`${panel.baseUrl}/files`)
    await page.getByRole('combobox', { name: 'Owner of the files' }).click()
    await page.getByRole('option', { name: 'Home of alice' }).click()
    await page.getByRole('grid').getByRole('link', { name: 'site', exact: true }).waitFor()
    await assertSound(page, 'the files of somebody else')
    await files.fetchUrl(view, `${panel.baseUrl}/fetched.html`)
    await assertSound(page, 'a download from a URL')
    await page.keyboard.press('Escape')
    await page.getByRole('grid').getByRole('link', { name: 'fetched.html' }).waitFor()
    assert.match(readFileSync(panel.at('fetched.html'), 'utf8'), /^<!doctype html>/i)
    assert.equal(statSync(panel.at('fetched.html')).uid, aliceUid)
    await files.cloneRepository(view, door.url)
    await page.getByRole('button', { name: 'Pull' }).waitFor()
    assert.equal(readFileSync(panel.at('site (2)/readme.md'), 'utf8'), 'Cloned\n')
    await page.getByRole('tab', { name: 'Remotes' }).click()
    await page.getByText(door.url).waitFor()
    await assertSound(page, 'the remotes')
    await files.pull(view)
    assert.deepEqual(complaints, [])
    await context.close()
  })
})
