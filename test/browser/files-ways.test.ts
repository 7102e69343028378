import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
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
const folderCount = 620

describe('the ways between files, in a browser', { skip }, () => {
  let panel: FilesPanel
  let browser: Browser
  let watched: Watched
  let visit: Visit
  const open = (path: string, page = 'files', more: Readonly<Record<string, string>> = {}) =>
    visit.page.goto(`${panel.baseUrl}/${page}?${new URLSearchParams({ username: 'alice', path, ...more })}`)
  const onRow = (name: string) => files.rowOf(visit, name).and(visit.page.locator(':focus')).waitFor()
  const asAlice = (...paths: readonly string[]) =>
    execFileSync('chown', ['-hR', `${aliceUid}:${aliceUid}`, ...paths.map((path) => panel.at(path))])

  before(async () => {
    panel = await openFilesPanel(`${dirname(built)}/web`)
    for (const name of ['a.txt', 'b.txt', 'c.txt']) panel.put(`site/${name}`, name)
    for (const [name, target] of [
      ['pub', 'site'],
      ['etc-link', '/etc'],
      ['gone-link', 'nowhere'],
      ['a-link.txt', 'site/a.txt'],
    ] as const)
      symlinkSync(target, panel.at(name))
    mkdirSync(panel.at('many'))
    for (let index = 1; index <= 200; index++) writeFileSync(panel.at(`many/entry-${index}`), `${index}`)
    for (let index = 1; index <= folderCount; index++)
      mkdirSync(panel.at(`dirs/folder-${index}`), { recursive: true })
    panel.put(
      'logs/large.log',
      Array.from({ length: 900_000 }, (_, at) => `${at === 700_000 ? 'needle' : 'line'} ${at + 1}\n`).join(
        '',
      ),
    )
    mkdirSync(panel.at('large'))
    asAlice('pub', 'etc-link', 'gone-link', 'a-link.txt', 'many', 'dirs', 'large')
    mkdirSync(panel.at('rootonly'))
    chmodSync(panel.at('rootonly'), 0o700)
    browser = await openBrowser()
    watched = await openPage(browser)
    visit = { baseUrl: panel.baseUrl, page: watched.page }
    await signIn(visit, await panel.panel.person({ isAdmin: true }))
  })
  beforeEach(() => ways.letGo(visit))
  after(async () => {
    await browser?.close()
    await panel?.remove()
  })

  test('opens what a link leads to, by a click and by a key, and says so where that is nothing of the home', async () => {
    const { page } = visit
    await open('')
    await page.getByRole('grid').getByRole('link', { name: 'pub → site' }).click()
    await page.getByRole('link', { name: 'a.txt', exact: true }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('path'), 'pub')
    await page.goBack()
    await files.focusRow(visit, 'a-link.txt')
    await page.keyboard.press('Enter')
    await page.getByLabel('Content of the file').filter({ hasText: 'a.txt' }).waitFor()
    await page.goBack()
    await page.getByRole('grid').getByRole('link', { name: 'gone-link → nowhere' }).click()
    await page
      .getByText('gone-link is a link to nowhere, which does not exist or is outside of the home.')
      .first()
      .waitFor()
    await open('etc-link')
    await page
      .getByText('etc-link is a link to /etc, which does not exist or is outside of the home.')
      .waitFor()
    await assertSound(page, 'a link that leads nowhere')
    await open('pub', 'files/edit')
    await page.getByText('This is a link to a folder').waitFor()
  })

  test('downloads what a link leads to', async () => {
    await open('')
    assert.match(
      await files.download(visit, 'pub', 'Download', 'pub.zip', [
        'sh',
        '-c',
        'cat > "$0" && unzip -Z1 "$0"',
        panel.at('got.zip'),
      ]),
      /site\/a\.txt/,
    )
    assert.equal(await files.download(visit, 'a-link.txt', 'Download', 'a-link.txt', ['cat']), 'a.txt')
  })

  test('forgets a filter where another folder is opened, and on the way back', async () => {
    const { page } = visit
    const filter = page.getByLabel('Filter this folder')
    await open('')
    await filter.fill('sit')
    await page.getByRole('grid').getByRole('link', { name: 'site', exact: true }).click()
    await page.getByRole('link', { name: 'a.txt', exact: true }).waitFor()
    await settles(() => filter.inputValue(), '')
    await filter.fill('b.')
    await page.getByRole('link', { name: 'a.txt', exact: true }).waitFor({ state: 'detached' })
    await page.goBack()
    await page.getByRole('grid').getByRole('link', { name: 'large', exact: true }).waitFor()
    await settles(() => filter.inputValue(), '')
  })

  test('opens a large log at the line that a search found', async () => {
    const { page } = visit
    await open('logs', 'files/search', { q: 'needle', in: 'content' })
    await page.getByRole('link', { name: 'large.log:700001' }).click()
    await page.locator('.cm-activeLine').filter({ hasText: 'needle 700001' }).waitFor()
  })

  test('says that a tree has more folders than it shows, and shows them', async () => {
    const { page } = visit
    await open('dirs')
    const tree = page.getByRole('tree', { name: 'Folders' })
    await tree.getByRole('treeitem', { name: 'dirs', exact: true }).press('ArrowRight')
    const more = tree.getByRole('treeitem', { name: '500 shown; show more' })
    await more.focus()
    await page.keyboard.press('Enter')
    await more.waitFor({ state: 'detached' })
    await settles(() => tree.getByRole('treeitem', { name: /^folder-/ }).count(), folderCount)
    await tree
      .getByRole('treeitem', { name: /^folder-/ })
      .and(page.locator(':focus'))
      .waitFor()
  })

  test('comes back from a file to where it was in the list, with the keyboard on the same row', async () => {
    const { page } = visit
    await open('many')
    await page.getByRole('row').nth(1).focus()
    await page.keyboard.press('End')
    await onRow('entry-200')
    for (let count = 0; count < 30; count++) await page.keyboard.press('ArrowUp')
    await onRow('entry-170')
    const top = () => page.getByRole('grid').evaluate((box) => box.scrollTop)
    const before = await top()
    for (const back of [
      () => page.goBack(),
      () => page.getByRole('link', { name: 'Back to the folder' }).click(),
    ]) {
      await page.keyboard.press('Enter')
      await page.getByLabel('Content of the file').waitFor()
      await back()
      await onRow('entry-170')
      assert.equal(await top(), before)
    }
  })

  test('copies a path where the browser has no clipboard', async () => {
    const { page } = visit
    await open('site')
    await page.evaluate(
      "Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })",
    )
    await files.act(visit, 'a.txt', 'Copy the path')
    await page.getByText('The path was copied.').first().waitFor()
    await page.getByRole('button', { name: 'Clear the selection' }).click()
    await page.getByLabel('Filter this folder').focus()
    await page.keyboard.press('Control+v')
    await settles(() => page.getByLabel('Filter this folder').inputValue(), 'site/a.txt')
  })

  test('leads from the trash back to the folder, and along the tabs by keyboard', async () => {
    const { page } = visit
    const tab = (name: string) =>
      page.getByRole('navigation', { name: 'Pages on files' }).getByRole('link', { name })
    await open('site')
    await tab('Trash').click()
    await page.getByText('The trash is empty', { exact: true }).waitFor()
    await tab('Files').click()
    await page.getByRole('link', { name: 'a.txt', exact: true }).waitFor()
    await tab('Files').focus()
    for (const name of ['Search', 'History']) {
      await page.keyboard.press('Tab')
      await tab(name).and(page.locator(':focus')).waitFor()
    }
    assert.equal(new URL(page.url()).pathname, '/files')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/files\/history/)
  })

  test('names root, and leads from a folder that is gone to one that is there', async () => {
    const { page } = visit
    await open('rootonly')
    await page.getByText(/^rootonly belongs to root and has the mode 700\./).waitFor()
    await open('')
    await files.rowOf(visit, 'rootonly').getByText('700 root').waitFor()
    await open('nope/gone/deeper')
    await page.getByRole('link', { name: 'Go to Home' }).waitFor()
    await open('site/gone/deeper')
    await page.getByRole('link', { name: 'Go to site' }).waitFor()
  })

  test('reads the list again once after the permissions of many were set', async () => {
    const { page } = visit
    await open('many')
    await page.getByText('200 entries').waitFor()
    await page.getByLabel('Filter this folder').fill('entry-19')
    await page.getByText('11 of 200 entries').waitFor()
    await page.getByRole('row').nth(1).focus()
    await page.keyboard.press('Control+a')
    const lists: Request[] = []
    page.on('request', (request) => request.url().includes('/filemanager/list?') && lists.push(request))
    await page.getByRole('button', { name: 'All actions' }).click()
    await page.getByRole('menuitem', { name: 'Permissions …' }).click()
    await page.getByLabel('Octal').fill('600')
    await page.getByRole('button', { name: 'Set the permissions' }).click()
    await page.getByText('11 entries now have the mode 600.').first().waitFor()
    assert.ok(lists.length <= 4, `${lists.length} lists were read`)
  })

  test('ends a merge that was begun, keeps a message while commits are looked at, and the keyboard on the page', async () => {
    const { page } = visit
    ways.beginMerge(panel, 'shop', aliceUid)
    await open('shop', 'files/vcs')
    await page.getByText('A merge is in progress').waitFor()
    await page.getByLabel('Commit message').fill('Join both')
    await page.getByRole('tab', { name: 'Commits' }).click()
    await page.getByRole('tab', { name: /^Changes/ }).click()
    await settles(() => page.getByLabel('Commit message').inputValue(), 'Join both')
    await page.getByRole('button', { name: 'Discard …' }).click()
    await files.confirm(visit, 'Discard')
    await page.getByRole('button', { name: 'Commit the merge' }).waitFor()
    await assertSound(page, 'a merge that was begun')
    await page.getByRole('button', { name: 'Abort the merge …' }).click()
    await files.confirm(visit, 'Abort the merge')
    await page.getByText('No changes').waitFor()
    assert.ok(!existsSync(panel.at('shop/.git/MERGE_HEAD')))
    panel.put('shop/more.txt', 'more')
    await page.reload()
    await page.getByLabel('Commit message').fill('More')
    await page.getByRole('button', { name: /^Commit 1 file/ }).click()
    await page.getByText('No changes').waitFor()
    await ways.keyboardIsOnPage(visit)
  })

  test('keeps the keyboard on the page where version control begins', async () => {
    const { page } = visit
    await open('site', 'files/vcs')
    await page.getByRole('button', { name: 'Initialise repository' }).click()
    await page.getByRole('button', { name: 'Initialise', exact: true }).click()
    await page.getByLabel('Commit message').waitFor()
    await ways.keyboardIsOnPage(visit)
    assert.ok(readdirSync(panel.at('site')).includes('.git'))
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})
