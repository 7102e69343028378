import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import { aliceUid } from '../../src/areas/filemanager/testing/files-bench.ts'
import { skip } from '../../src/host/owner/testing/homes.ts'
import { assertSound, openPage, type Visit, type Watched } from './browser.ts'
import { type FilesPanel, openFilesPanel, visitFiles } from './files-panel.ts'
import * as files from './flows/files.ts'
import { signIn } from './flows/sign-in.ts'
import { settles } from './settles.ts'

const built = process.env['HOSTREEVE_ENTRY'] ?? new URL('../../dist/hostreeve.mjs', import.meta.url).pathname
const longName = `${'anamewithoutabreak'.repeat(13)}${'x'.repeat(17)}.txt`
const widths = [1280, 390]
const cutOff = `(() => {
  const label = [...document.querySelectorAll('[role="dialog"] span')].find((each) => each.textContent === 'Interrupted')
  return label.scrollWidth - label.clientWidth
})()`
const runsOut = `(() => {
  const box = document.querySelector('[role="dialog"]')
  const ends = [...box.querySelectorAll('*')].map((each) => each.getBoundingClientRect().right)
  return Math.max(...ends) - box.getBoundingClientRect().right
})()`

describe('what a dialog or a table of the files has room for and leads to, in a browser', { skip }, () => {
  let panel: FilesPanel
  let browser: Browser
  let watched: Watched
  let visit: Visit
  const open = (path: string, page = 'files') => files.openPath(visit, page, path)
  const dialog = (): Locator => visit.page.getByRole('dialog')
  const hasFocus = (what: Locator) => what.and(visit.page.locator(':focus')).waitFor()

  before(async () => {
    panel = await openFilesPanel(`${dirname(built)}/web`)
    panel.put(`long/${longName}`, 'long')
    for (const name of ['a.txt', 'b.txt', 'c.txt']) panel.put(`thrown/${name}`, name)
    panel.put('.well-known/acme/token', 't')
    panel.put('many/f-0001/file', 'f')
    execFileSync('sh', ['-c', 'for i in $(seq 1000 1600); do mkdir many/f-$i; done'], { cwd: panel.at() })
    execFileSync('chown', ['-R', `${aliceUid}:${aliceUid}`, panel.at('many')])
    await panel.post('write', { path: 'past/large.txt', content: 'x' })
    for (const content of [`first line\n${'0123456789\n'.repeat(480_000)}`, 'short'])
      assert.equal((await panel.post('write', { path: 'large.txt', content })).status, 200)
    ;({ browser, watched, visit } = await visitFiles(panel))
  })
  after(async () => {
    await browser?.close()
    await panel?.remove()
  })

  test('keeps the close button and the plan of a name of 255 characters within a dialog', async () => {
    const { page } = visit
    assert.equal(longName.length, 255)
    await open('long')
    for (const action of ['Delete …', 'Permissions …', 'Compress …', 'Copy to …']) {
      await files.act(visit, longName, action)
      await dialog().getByText('anamewithoutabreak').first().waitFor()
      if (action === 'Delete …') await dialog().getByRole('list', { name: 'Steps' }).waitFor()
      for (const width of widths) {
        await page.setViewportSize({ width, height: 860 })
        const [box, close] = [
          await dialog().boundingBox(),
          await dialog().getByRole('button', { name: 'Close', exact: true }).boundingBox(),
        ]
        assert.ok(
          box && close && close.x + close.width <= box.x + box.width,
          `${action} at ${width} px: the close button lies in the dialog`,
        )
        const over = await page.evaluate<number>(runsOut)
        assert.ok(over <= 0, `${action} at ${width} px: something runs ${over} px out of the dialog`)
      }
      await page.setViewportSize({ width: 1280, height: 860 })
      await page.keyboard.press('Escape')
      await dialog().waitFor({ state: 'detached' })
    }
  })

  test('keeps the state of a job readable beside a long message', async () => {
    const { page } = visit
    const end = { type: 'end', state: 'interrupted', percent: null, message: longName.repeat(3) }
    await page.route(/\/wget-upload$/, (route) =>
      route.fulfill({ status: 202, json: { data: { job_id: 1 } } }),
    )
    await page.route(/\/jobs\/1\/events/, (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: `id: 1\ndata: ${JSON.stringify(end)}\n\n` }),
    )
    await open('long')
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Download from a URL' }).click()
    await dialog().getByRole('textbox', { name: 'URL' }).fill('https://example.com/x')
    await dialog().getByRole('button', { name: 'Download' }).click()
    const state = dialog().getByText('Interrupted', { exact: true })
    await state.waitFor()
    for (const width of widths) {
      await page.setViewportSize({ width, height: 860 })
      const cut = await page.evaluate<number>(cutOff)
      assert.ok(cut <= 0, `at ${width} px ${cut} px of the state are cut off`)
      assert.ok(
        (await page.evaluate<number>(runsOut)) <= 0,
        `at ${width} px something runs out of the dialog`,
      )
    }
    await page.setViewportSize({ width: 1280, height: 860 })
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.keyboard.press('Escape')
  })

  test('reaches hidden folders, and folders that are too many to show, where something is copied', async () => {
    const { page } = visit
    await open('thrown')
    await files.act(visit, 'c.txt', 'Copy to …')
    const tree = dialog().getByRole('tree')
    await tree.getByRole('treeitem', { name: 'many' }).waitFor()
    await settles(() => tree.getByRole('treeitem', { name: '.well-known' }).count(), 0)
    await dialog().getByLabel('Hidden folders').check()
    await tree.getByRole('treeitem', { name: '.well-known' }).click()
    await dialog().getByText('Chosen: .well-known').waitFor()
    await dialog().getByLabel('Path of a folder').fill('many/absent')
    await dialog().getByRole('button', { name: 'Go to it' }).click()
    await dialog().getByText('No such folder').waitFor()
    await assertSound(page, 'the choice of a folder')
    await dialog().getByLabel('Path of a folder').fill('/many/f-1600/')
    await page.keyboard.press('Enter')
    await dialog().getByText('Chosen: many/f-1600').waitFor()
    await dialog().getByRole('button', { name: 'Copy here' }).click()
    await page.getByText('c.txt copied to f-1600.').first().waitFor()
    assert.ok(existsSync(panel.at('many/f-1600/c.txt')))
  })

  test('begins with hidden folders where the list shows them', async () => {
    await open('thrown')
    await visit.page.getByLabel('Hidden files').check()
    await files.act(visit, 'c.txt', 'Move to …')
    await dialog().getByRole('treeitem', { name: '.well-known' }).waitFor()
    await visit.page.keyboard.press('Escape')
  })

  test('makes no file whose name is of spaces alone', async () => {
    const { page } = visit
    await open('thrown')
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('menuitem', { name: 'New file' }).click()
    await dialog().getByLabel('Name').fill('  ')
    await dialog().getByRole('button', { name: 'Create the file' }).click()
    await dialog().getByText('and not of spaces alone').waitFor()
    assert.equal(existsSync(panel.at('thrown/  ')), false)
  })

  test('keeps the keyboard on a box of the trash, and chooses all of a page at once', async () => {
    const { page } = visit
    await open('thrown')
    await page.getByRole('row').nth(1).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await files.confirm(visit, 'Move to the trash')
    await open('', 'files/trash')
    await page.getByLabel('Select a.txt').press('Space')
    await page.getByText('1 selected').waitFor()
    await hasFocus(page.getByLabel('Select a.txt'))
    await page.getByLabel('Select all on this page').press('Space')
    await page.getByText('3 selected').waitFor()
    await hasFocus(page.getByLabel('Select all on this page'))
    await assertSound(page, 'the trash with all of it chosen')
    await page.getByLabel('Select all on this page').press('Space')
    await page.getByText('3 selected').waitFor({ state: 'detached' })
    await page.getByLabel('Select all on this page').check()
    await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Put back' }).click()
    await page.getByText('3 of 3 entries are back.').first().waitFor()
  })

  test('says that a version goes on after what is shown, gives the keyboard back to it, and counts one version as one', async () => {
    const { page } = visit
    await open('large.txt', 'files/history')
    const look = page.getByRole('button', { name: /^View/ })
    await look.press('Enter')
    await dialog().getByRole('tab', { name: 'Content' }).click()
    await dialog()
      .getByText('Only the first 4.0 MiB of 5.0 MiB are shown. Download it to have all of it.')
      .waitFor()
    await assertSound(page, 'a version that is cut')
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await hasFocus(look)
    await page.getByRole('button', { name: 'Clear the history' }).click()
    await files.confirm(visit, 'Clear the history')
    await page.getByText(/^One version was removed/).waitFor()
  })

  test('asks for no trash before a superuser has said whose', async () => {
    const other = await openPage(browser)
    const asked: string[] = []
    other.page.on('response', (answer) => answer.status() === 400 && asked.push(answer.url()))
    const admins = { baseUrl: panel.baseUrl, page: other.page }
    await signIn(admins, panel.panel.admin)
    await files.openPath(admins, 'files/trash', '')
    await other.page.getByText('Choose an owner').first().waitFor()
    assert.deepEqual(asked, [])
    await other.context.close()
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})
