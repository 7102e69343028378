import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { skip } from '../../src/host/owner/testing.ts'
import { assertSound, openBrowser, openPage, type Visit, type Watched } from './browser.ts'
import { type FilesPanel, openFilesPanel } from './files-panel.ts'
import * as files from './flows/files.ts'
import { signIn } from './flows/sign-in.ts'

const built = process.env['HOSTREEVE_ENTRY'] ?? new URL('../../dist/hostreeve.mjs', import.meta.url).pathname

describe('work on files that takes its time, in a browser', { timeout: 240_000, skip }, () => {
  let panel: FilesPanel
  let browser: Browser
  let watched: Watched
  let visit: Visit
  const open = (path: string, page = 'files') => files.openPath(visit, page, path)

  before(async () => {
    panel = await openFilesPanel(`${dirname(built)}/web`)
    panel.put('site/notes.txt', 'one\ntwo\nthree\n')
    panel.put('site/pictures/one.txt', '1')
    panel.put('site/broken.zip', 'PK no archive at all')
    panel.put('heavy/noise.bin', randomBytes(96 * 1024 * 1024))
    browser = await openBrowser()
    watched = await openPage(browser)
    visit = { baseUrl: panel.baseUrl, page: watched.page }
    await signIn(visit, panel.alice)
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
    const row = page.getByRole('region', { name: 'Transfers' }).getByRole('listitem').filter({ hasText: 'heavy.tar.xz' })
    await row.getByText(/Compressing \d+ %/).waitFor({ timeout: 30_000 })
    await page.getByRole('grid').getByRole('link', { name: 'site', exact: true }).click()
    await page.getByRole('link', { name: 'notes.txt' }).waitFor()
    await page.getByText('Compressing 1', { exact: true }).waitFor()
    await assertSound(page, 'an archive on its way')
    await page.getByRole('button', { name: 'Cancel heavy.tar.xz' }).click()
    await row.waitFor({ state: 'detached', timeout: 30_000 })
    assert.deepEqual(
      readdirSync(panel.at()).filter((name) => /heavy\.|hostreeve-tmp/.test(name)),
      [],
    )
  })

  test('says in the words of the panel why an archive cannot be unpacked', async () => {
    const { page } = visit
    await open('site')
    await files.unpack(visit, 'broken.zip')
    const row = page.getByRole('region', { name: 'Transfers' }).getByRole('listitem').filter({ hasText: 'broken.zip' })
    await row.getByRole('alert').getByText('broken.zip').waitFor()
    await assertSound(page, 'an archive that failed')
    await row.getByRole('button', { name: 'Dismiss broken.zip' }).click()
    await row.waitFor({ state: 'detached' })
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})
