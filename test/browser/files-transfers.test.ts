import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Browser, Request } from 'playwright-core'
import { aliceUid } from '../../src/areas/filemanager/testing/files-bench.ts'
import { skip } from '../../src/host/owner/testing/homes.ts'
import { assertSound, openBrowser, openPage, type Visit, type Watched } from './browser.ts'
import { type FilesPanel, openFilesPanel } from './files-panel.ts'
import * as files from './flows/files.ts'
import * as ways from './flows/files-ways.ts'
import { signIn } from './flows/sign-in.ts'
import { settles } from './settles.ts'

const built = process.env['HOSTREEVE_ENTRY'] ?? new URL('../../dist/hostreeve.mjs', import.meta.url).pathname

describe('downloads, uploads and clones under way, in a browser', { skip }, () => {
  let panel: FilesPanel
  let browser: Browser
  let watched: Watched
  let visit: Visit
  let answerSlow = (): void => {}
  const slow = createServer((_request, reply) => {
    reply.write('some')
    answerSlow = () => void reply.end(' more')
  })
  const open = (path: string, page = 'files', more: Readonly<Record<string, string>> = {}) =>
    visit.page.goto(`${panel.baseUrl}/${page}?${new URLSearchParams({ username: 'alice', path, ...more })}`)
  const rowOf = (text: string | RegExp) =>
    visit.page.getByRole('region', { name: 'Transfers' }).getByRole('listitem').filter({ hasText: text })

  before(async () => {
    panel = await openFilesPanel(`${dirname(built)}/web`)
    for (const name of ['a.txt', 'b.txt', 'c.txt']) panel.put(`site/${name}`, name)
    mkdirSync(panel.at('large'))
    for (const name of ['one.bin', 'two.bin'])
      execFileSync('truncate', ['-s', '201M', panel.at(`large/${name}`)])
    execFileSync('chown', ['-R', `${aliceUid}:${aliceUid}`, panel.at('large')])
    slow.listen(0, '127.0.0.1')
    await once(slow, 'listening')
    browser = await openBrowser()
    watched = await openPage(browser)
    visit = { baseUrl: panel.baseUrl, page: watched.page }
    await signIn(visit, await panel.panel.person({ isAdmin: true })) // only a superuser may reach loopback
  })
  beforeEach(() => ways.letGo(visit))
  after(async () => {
    await browser?.close()
    slow.closeAllConnections()
    slow.close()
    await panel?.remove()
  })

  test('writes several large files into a folder that it asks for once, and replaces nothing there', async () => {
    const { page } = visit
    await open('large')
    await ways.giveDisk(visit, ['one.bin', 'two.bin'])
    await page.getByRole('row').nth(1).focus()
    await page.keyboard.press('Control+a')
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByText('Downloads complete').waitFor()
    const size = 201 * 1024 * 1024
    assert.deepEqual(await ways.diskOf(visit), {
      names: ['one (2).bin', 'one.bin', 'two (2).bin', 'two.bin'],
      sizes: [size, 0, size, 0],
      asked: 1,
    })
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await ways.emptyDisk(visit)
  })

  test('writes the archive of a folder where it was asked to', async () => {
    const { page } = visit
    await open('')
    await ways.giveDisk(visit)
    await files.act(visit, 'site', 'Download as zip')
    await page.getByText('Downloads complete').waitFor()
    const { names, sizes } = await ways.diskOf(visit)
    assert.deepEqual(names, ['site.zip'])
    assert.ok((sizes[0] ?? 0) > 100)
    await ways.emptyDisk(visit)
  })

  test('counts downloads that wait, cancels them, and tries again what failed', async () => {
    const { page } = visit
    await open('site')
    const held = await ways.hold(visit, /\/api\/filemanager\/download\?/)
    await page.getByRole('row').nth(1).focus()
    await page.keyboard.press('Control+a')
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByText('Downloading 3 of 3').waitFor()
    await rowOf('c.txt').getByText('Waiting').waitFor()
    await assertSound(page, 'downloads that wait')
    await page.getByRole('button', { name: 'Cancel c.txt' }).click()
    await rowOf('c.txt').waitFor({ state: 'detached' })
    await held.fail()
    await page.getByText('2 failed', { exact: true }).waitFor()
    const [kept] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Try a.txt again' }).click(),
    ])
    assert.equal(kept.suggestedFilename(), 'a.txt')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
  })

  test('shows on every page what is on its way, and warns before the page is left', async () => {
    const { page } = visit
    await open('site')
    await ways.hold(visit, /\/api\/filemanager\/upload\?/)
    await page
      .getByLabel('Files to upload')
      .setInputFiles({ name: 'new.txt', mimeType: 'text/plain', buffer: Buffer.from('new') })
    await rowOf('new.txt').getByText('Uploading').waitFor()
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sessions and password' }).click()
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
    await rowOf('new.txt').waitFor()
    await assertSound(page, 'an upload beside another page')
    const asked = page.waitForEvent('dialog')
    await page.evaluate('void setTimeout(() => location.reload())')
    const dialog = await asked
    assert.equal(dialog.type(), 'beforeunload')
    await dialog.dismiss()
    await page.getByRole('button', { name: 'Cancel new.txt' }).click()
  })

  test('asks of a clash also on the page of a file', async () => {
    const { page } = visit
    await open('site')
    const held = await ways.hold(visit, /\/api\/filemanager\/stat\?.*b\.txt/)
    await page
      .getByLabel('Files to upload')
      .setInputFiles({ name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('another') })
    await page.getByRole('link', { name: 'a.txt', exact: true }).click()
    await page.getByLabel('Content of the file').waitFor()
    await held.release()
    await page
      .getByRole('dialog', { name: 'This name is taken' })
      .getByRole('button', { name: 'Keep both' })
      .click()
    await page.getByText('Uploads complete').waitFor()
    assert.equal(readFileSync(panel.at('site/b (2).txt'), 'utf8'), 'another')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
  })

  test('asks the panel once for a URL, and follows it in the corner after the dialog and the page are gone', async () => {
    const { page } = visit
    await open('site')
    const asked: Request[] = []
    page.on('request', (request) => request.url().includes('/wget-upload') && asked.push(request))
    const held = await ways.hold(visit, /\/api\/filemanager\/wget-upload/)
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Download from a URL' }).click()
    const url = page.getByRole('textbox', { name: 'URL' })
    await url.fill(`http://127.0.0.1:${(slow.address() as AddressInfo).port}/a/slow.bin`)
    for (let count = 0; count < 3; count++) await url.press('Enter')
    await page.mouse.click(5, 400)
    await held.release()
    await page.getByRole('button', { name: 'Close; the download continues' }).click()
    await rowOf('slow.bin')
      .getByText(/^Fetching/)
      .waitFor()
    assert.equal(asked.length, 1)
    await page.reload()
    await rowOf('slow.bin')
      .getByText(/^Fetching/)
      .waitFor()
    await assertSound(page, 'a download of the panel')
    answerSlow()
    await page.getByText('slow.bin was downloaded.').first().waitFor()
    await page.getByRole('link', { name: 'slow.bin' }).waitFor()
    assert.equal(readFileSync(panel.at('site/slow.bin'), 'utf8'), 'some more')
  })

  test('follows a clone in the corner after its dialog was closed, and stops it from there', async () => {
    const { page } = visit
    await open('site')
    const asked: Request[] = []
    page.on('request', (request) => request.url().endsWith('/vcs/clone') && asked.push(request))
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Clone a repository' }).click()
    await page.getByLabel('Address').fill(`http://127.0.0.1:${(slow.address() as AddressInfo).port}/shop.git`)
    const held = await ways.hold(visit, /\/vcs\/clone/)
    for (let count = 0; count < 3; count++) await page.getByLabel('Address').press('Enter')
    await held.release()
    await page.getByRole('button', { name: 'Close; the clone continues' }).click()
    await rowOf('shop')
      .getByText(/^Cloning/)
      .waitFor()
    assert.equal(asked.length, 1)
    await page.getByRole('button', { name: 'Cancel shop' }).click()
    await rowOf('shop').waitFor({ state: 'detached' })
    assert.ok(!existsSync(panel.at('site/shop')))
  })

  test('keeps what is typed for a clone where somebody clicks beside the dialog', async () => {
    const { page } = visit
    await open('site')
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Clone a repository' }).click()
    await page.getByLabel('Address').fill('https://example.com/shop.git')
    await page.mouse.click(5, 400)
    await settles(() => page.getByLabel('Address').inputValue(), 'https://example.com/shop.git')
  })

  test('asks before what was received of an upload is thrown away, and keeps the keyboard on the page', async () => {
    const { page } = visit
    for (const name of ['half-1.bin', 'half-2.bin'])
      await panel.panel.request(
        'POST',
        `/api/filemanager/upload?username=alice&name=${name}&resumable=true&size_bytes=9000000`,
        {
          as: panel.panel.admin,
        },
      )
    await ways.signInAgain(visit, panel.panel.admin)
    await open('site')
    for (const name of ['half-1.bin', 'half-2.bin']) {
      await page.getByRole('button', { name: `Discard ${name}` }).click()
      const dialog = page.getByRole('dialog', { name: 'Discard an incomplete upload' })
      await dialog.getByRole('button', { name: 'Keep them' }).click()
      await page.getByRole('button', { name: `Discard ${name}` }).click()
      await assertSound(page, 'the question before an upload is discarded')
      await dialog.getByRole('button', { name: 'Discard', exact: true }).click()
      await page.getByRole('button', { name: `Discard ${name}` }).waitFor({ state: 'detached' })
      await page.locator('#content:focus, [aria-label="Hide the incomplete uploads"]:focus').waitFor()
    }
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})
