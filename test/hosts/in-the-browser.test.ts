import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertSound, openBrowser, openPage, type Watched } from '../browser/browser.ts'
import { deleteEntry, editFile, makeFolder, openFiles, unpack, uploadFile } from '../browser/flows/files.ts'
import { openArea, signIn } from '../browser/flows/sign-in.ts'
import { addAlias, createWebsite, deleteWebsite, switchWebsite } from '../browser/flows/websites.ts'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { SignedIn } from './story/signed-in.ts'
import { tarGz } from './story/tar.ts'

describe('a first site, published by clicks alone', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let door: Server
  let browser: Browser
  let watched: Watched
  let visit: { readonly baseUrl: string; readonly page: Watched['page'] }
  const domain = 'clicked.example.com'
  const served = async (path: string) => (await host.request({ path, headers: { Host: domain } })).text

  before(async () => {
    host = await bootHost('clicks', { without: ['nginx'] })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.must('POST', '/api/users', {
      email: 'ada@hosts.test',
      password: 'a long password',
      fullname: 'Ada',
      username: 'ada',
    })
    door = await openDoor(host, Number(panel.environment.HOSTREEVE_PORT))
    browser = await openBrowser()
    watched = await openPage(browser)
    visit = { baseUrl: `http://localhost:${(door.address() as AddressInfo).port}`, page: watched.page }
    await signIn(visit, {
      email: panel.environment.HOSTREEVE_ADMIN_EMAIL,
      password: panel.environment.HOSTREEVE_ADMIN_PASSWORD,
    })
  })
  after(async () => {
    await browser?.close()
    door?.close()
    await host?.remove()
  })

  it('greys what needs nginx with its reason, and installs nginx with its progress in view', async () => {
    const { page } = visit
    const menu = page.getByRole('navigation', { name: 'Main menu' })
    await menu.getByText('Websites').waitFor()
    assert.equal(await menu.getByRole('link', { name: 'Websites', exact: true }).count(), 0)
    await openArea(visit, 'Programs')
    await assertSound(page, 'Programs, without nginx')
    await page
      .getByRole('button', { name: /install nginx/i })
      .last()
      .click()
    await page
      .getByRole('dialog')
      .getByText('succeeded', { exact: false })
      .first()
      .waitFor({ timeout: 90_000 })
    await page.keyboard.press('Escape')
    await menu.getByRole('link', { name: 'Websites', exact: true }).waitFor({ timeout: 30_000 })
  })

  it('creates a site in one step, with an alias', async () => {
    await createWebsite(visit, { domain, typed: ' https://Clicked.Example.com/ ', username: 'ada' })
    await addAlias(visit, 'www.clicked.example.com')
    await assertSound(visit.page, 'the page of a site')
  })

  it('uploads an archive, unpacks it, edits a page, and the site serves it', async () => {
    const { page } = visit
    await openFiles(visit)
    await uploadFile(visit, {
      name: 'site.tar.gz',
      mimeType: 'application/gzip',
      buffer: tarGz([{ name: 'index.html', content: '<h1>First</h1>' }]),
    })
    await unpack(visit, 'site.tar.gz')
    await poll('the unpacked page', 10_000, async () =>
      (await served('/')) === '<h1>First</h1>' ? true : undefined,
    )
    await makeFolder(visit, 'pictures')
    await deleteEntry(visit, 'site.tar.gz')
    await assertSound(page, 'the files of a site')
    await editFile(visit, 'index.html', '<h1>Second</h1>')
    await poll('the edited page', 10_000, async () =>
      (await served('/')) === '<h1>Second</h1>' ? true : undefined,
    )
    await assertSound(page, 'the editor')
  })

  it('suspends, serves again and deletes the site, each after its plan', async () => {
    const { page } = visit
    await openArea(visit, 'Websites')
    await page.getByRole('link', { name: domain }).click()
    assert.match(await switchWebsite(visit, 'Suspend'), /503/)
    assert.match(await served('/'), /suspended/)
    await switchWebsite(visit, 'Unsuspend')
    assert.equal(await served('/'), '<h1>Second</h1>')
    const plan = await deleteWebsite(visit, 'remove')
    assert.match(plan, /cannot be undone|gone for good/)
    await page.getByRole('heading', { level: 1, name: 'Websites' }).waitFor()
    assert.notEqual(await served('/'), '<h1>Second</h1>')
  })

  it('never went against the content policy, and asked no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})

/** A port of this machine that leads to one of the host's loopback, for a browser outside. */
async function openDoor(host: Host, port: number): Promise<Server> {
  const door = createServer((near) => {
    near.on('error', () => {}) // the browser leaves when it likes
    host.connect(port).then(
      (far) => {
        far.on('error', () => near.destroy())
        near.on('close', () => far.destroy())
        near.pipe(far).pipe(near)
      },
      () => near.destroy(),
    )
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  return door
}
