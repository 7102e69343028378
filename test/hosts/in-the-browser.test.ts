import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertSound, countClicks, openBrowser, openPage, type Watched } from '../browser/browser.ts'
import { deleteEntry, editFile, makeFolder, openFiles, unpack, uploadFile } from '../browser/flows/files.ts'
import { openArea, signIn } from '../browser/flows/sign-in.ts'
import { addAlias, createWebsite, deleteWebsite, switchWebsite } from '../browser/flows/websites.ts'
import { bootHost, type Host, type Panel, poll, startPanel } from './harness/index.ts'
import { tarGz } from './story/tar.ts'

describe('a first site, published by clicks alone', () => {
  let host: Host
  let panel: Panel
  let door: Server
  let browser: Browser
  let watched: Watched
  let clicks: () => Promise<number>
  let visit: { readonly baseUrl: string; readonly page: Watched['page'] }
  const domain = 'clicked.example.com'
  const served = async (path: string) => (await host.request({ path, headers: { Host: domain } })).text

  before(async () => {
    host = await bootHost('clicks', { without: ['nginx'] })
    panel = await startPanel(host)
    door = await openDoor(host, Number(panel.environment.HOSTREEVE_PORT))
    browser = await openBrowser()
    watched = await openPage(browser)
    visit = { baseUrl: `http://localhost:${(door.address() as AddressInfo).port}`, page: watched.page }
    await signIn(visit, {
      email: panel.environment.HOSTREEVE_ADMIN_EMAIL,
      password: panel.environment.HOSTREEVE_ADMIN_PASSWORD,
    })
    clicks = await countClicks(visit.page)
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
    await openArea(visit, 'Software')
    await assertSound(page, 'Software, without nginx')
    await page
      .getByRole('button', { name: /install nginx/i })
      .last()
      .click()
    await page
      .getByRole('dialog')
      .getByText('succeeded', { exact: false })
      .first()
      .waitFor({ timeout: 300_000 })
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()
    await menu.getByRole('link', { name: 'Websites', exact: true }).waitFor({ timeout: 300_000 })
  })

  it('publishes a page of a superuser without a Linux account in 8 clicks, the installation of nginx included', async () => {
    const { page } = visit
    await createWebsite(visit, { domain, typed: ' https://Clicked.Example.com/ ' })
    assert.match((await host.must(['id', '-u', 'hosts'])).stdout, /^1\d\d\d\n$/, 'after admin@hosts.test')
    assert.match(await served('/'), /<h1>clicked\.example\.com<\/h1>/, 'the placeholder page')
    await page.getByRole('link', { name: 'Upload now' }).click()
    await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor()
    const chosen = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    const file = { name: 'first.html', mimeType: 'text/html', buffer: Buffer.from('<h1>Published</h1>') }
    await (await chosen).setFiles(file)
    await poll('the published page', 10_000, async () =>
      (await served('/first.html')) === '<h1>Published</h1>' ? true : undefined,
    )
    const made = await clicks()
    assert.ok(made > 4 && made <= 8, `${made} clicks`)
  })

  it('creates an owner together with a site, and the owner then creates another', async () => {
    const ada = { email: 'ada@hosts.test', fullname: 'Ada', account: 'ada', password: 'a long password' }
    await createWebsite(visit, { domain: 'ada.example.com', owner: 'New owner …' }, ada)
    const own = await openPage(browser)
    const theirs = { ...visit, page: own.page }
    await signIn(theirs, ada)
    await createWebsite(theirs, { domain: 'own.example.com' })
    await own.context.close()
    assert.match((await host.must(['stat', '-c', '%U', '/home/ada/sites/own.example.com'])).stdout, /^ada$/m)
  })

  it('adds an alias', async () => {
    await openArea(visit, 'Websites')
    await visit.page.getByRole('link', { name: domain }).click()
    await addAlias(visit, 'www.clicked.example.com')
    await visit.page.getByText(`${domain} does not resolve yet.`).waitFor()
    await visit.page.getByText('This host has no network address').waitFor()
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
