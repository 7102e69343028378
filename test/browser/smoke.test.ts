import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { areas } from '../../src/app/areas.ts'
import { type FilesBench, openFilesBench } from '../../src/areas/filemanager/testing/files-bench.ts'
import { scriptSystemd } from '../../src/host/testing/scripted-host.ts'
import type { Script } from '../../src/host/testing/scripted-run.ts'
import {
  type ScratchHaproxy,
  scratchHead,
  startScratchHaproxy,
} from '../../src/tools/haproxy/testing/scratch.ts'
import { standInEngine } from '../../src/tools/docker/testing/stand-in-engine.ts'
import { scriptMariadbd } from '../../src/tools/mariadb/testing/scripted-mariadbd.ts'
import { standInServer } from '../../src/tools/mariadb/testing/stand-in.ts'
import { assertSoundOnAllScreens, openBrowser, openPage, type Visit, type Watched } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { startDrivenDnsdist } from '../../src/tools/dnsdist/testing/scratch.ts'
import { focusedOutside, unreachableByKeyboard } from './keyboard.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { scriptPages } from '../schema/scripts.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

const outsideMenu = ['/jobs', '/account', '/account/activity', '/notifications', '/guides', '/guides/files']

/** All programs are installed on this host, and links are created. */
const installed: Script = ([program, ...args]) => {
  if (args.join(' ') === '--version') return { code: 0, stdout: '9.9.9\n' }
  return program === 'ln' ? { code: 0 } : undefined
}

const packages = new Map([
  ['pdns-server', '4.7.3-2'],
  ['charon-systemd', '5.9.8-5+deb12u4'],
  ['rsyslog-elasticsearch', '8.2302.0-1+deb12u1'],
])

/** Docker Engine, PowerDNS, strongSwan and rsyslog are installed. */
const networkAndContainers: Script = (argv) => {
  if (argv.join(' ') === 'dockerd --version') return { stdout: 'Docker version 20.10.24+dfsg1' }
  const version = argv.join(' ').startsWith('dpkg-query') ? packages.get(argv.at(-1) ?? '') : undefined
  return version === undefined ? undefined : { stdout: `installed ${version}` }
}

/** MariaDB is installed and runs. */
const sqlService = scriptSystemd(new Map([['mariadb', { isActive: true, isEnabled: true }]]))
const sqlServer: Script = (argv, options) => {
  if (argv[0] === 'systemctl') return argv.includes('mariadb.service') ? sqlService(argv, options) : undefined
  return argv.join(' ').startsWith('dpkg-query') && argv.at(-1) === 'mariadb-server'
    ? { stdout: 'installed 1:10.11.14-0+deb12u2' }
    : undefined
}

describe('every page of the menu', () => {
  const inMenu = areas.filter(({ menu }) => menu !== undefined)
  let haproxy: ScratchHaproxy
  let dnsdist: Awaited<ReturnType<typeof startDrivenDnsdist>>
  let bench: FilesBench
  let web: Awaited<ReturnType<typeof serveWithPages>>
  let browser: Browser
  let watched: Watched
  let visit: Visit

  before(async () => {
    haproxy = await startScratchHaproxy(`${scratchHead}backend app\n  server a 127.0.0.1:9\n`)
    dnsdist = await startDrivenDnsdist()
    const server = standInServer()
    bench = await openFilesBench({
      hasNginx: true,
      haproxy: haproxy.options,
      dnsdist: dnsdist.options,
      mariadb: { connection: server.connection },
      docker: { connection: standInEngine().connection },
      scripts: [
        networkAndContainers,
        ...scriptPages(),
        sqlServer,
        scriptMariadbd(server, () => bench.panel.root),
        installed,
      ],
    })
    web = await serveWithPages(bench.panel, `${dirname(entry)}/web`)
    const body = { domain: 'example.com', type: 'static' }
    const site = await bench.panel.request('POST', '/api/websites', { as: bench.alice, body })
    assert.equal(site.status, 201, site.text)
    browser = await openBrowser()
    watched = await openPage(browser)
    visit = { baseUrl: web.baseUrl, page: watched.page }
    await signIn(visit, bench.panel.admin)
  })
  after(async () => {
    await browser?.close()
    await web?.close()
    await haproxy?.stop()
    await dnsdist?.stop()
    await bench?.remove()
  })
  const menu = () => visit.page.getByRole('navigation', { name: 'Main menu' })

  test('the menu shows each area that has a page, and none of them is disabled', async () => {
    await menu().getByRole('link').first().waitFor()
    const titles = (await menu().getByRole('link').allTextContents()).map((title) => title.trim())
    assert.deepEqual(titles.toSorted(), inMenu.map(({ title }) => title).toSorted())
  })

  for (const area of inMenu)
    test(`${area.title} opens by keyboard, and all its pages are sound`, async () => {
      await menu().getByRole('link', { name: area.title, exact: true }).focus()
      await visit.page.keyboard.press('Enter')
      await visit.page.waitForURL(`${web.baseUrl}${area.menu?.path}**`)
      await visit.page.getByRole('heading', { level: 1, name: area.title }).waitFor()
      for (const path of await pathsOf(visit.page)) await look(path)
    })

  for (const path of outsideMenu)
    test(`${path}, which the header opens, is sound`, async () => {
      await visit.page.goto(`${web.baseUrl}${path}`)
      await look(path)
    })

  test('the menu of a phone opens and closes by keyboard', async () => {
    const { page } = visit
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('button', { name: 'Open the menu' }).press('Enter')
    await menu().getByRole('link', { name: 'Users' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    await page.getByRole('button', { name: 'Open the menu' }).focus()
    assert.deepEqual(await focusedOutside(page), [], 'Tab leaves the closed menu out')
    await page.setViewportSize({ width: 1280, height: 860 })
  })

  async function look(path: string): Promise<void> {
    const { page } = visit
    // the other tabs of the page are opened by their links, which is faster than loading each
    if (new URL(page.url()).pathname !== path) await page.locator(`main nav a[href="${path}"]`).click()
    await page.waitForURL(`${web.baseUrl}${path}**`)
    await untilShown(page)
    assert.deepEqual(await unreachableByKeyboard(page), [], `${path} has controls that Tab does not reach`)
    await assertSoundOnAllScreens(page, path)
    assert.deepEqual(watched.complaints, [], path)
  }
})

/** Returns the open page and the pages of its tabs. */
async function pathsOf(page: Page): Promise<readonly string[]> {
  await untilShown(page)
  const tabs = page.getByRole('navigation', { name: /^Pages of/ }).getByRole('link')
  const paths = await tabs.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  return paths.length === 0 ? [new URL(page.url()).pathname] : paths
}

/** Waits until the heading is visible and nothing on the page is loading. */
async function untilShown(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
}
