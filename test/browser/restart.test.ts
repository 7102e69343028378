import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { areas } from '../../src/app/areas.ts'
import { type FilesBench, openFilesBench } from '../../src/areas/filemanager/testing/files-bench.ts'
import type { Script } from '../../src/host/testing/scripted-run.ts'
import {
  type ScratchHaproxy,
  scratchHead,
  startScratchHaproxy,
} from '../../src/tools/haproxy/testing/scratch.ts'
import { scriptPages } from '../schema/scripts.ts'
import { assertSound, openBrowser, openPage, type Watched } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { settles } from './settles.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

/** Tabs share six connections to the panel, of which each needs one for its first requests. */
const tabsAtOnce = 4

/** All programs are installed on this host. */
const installed: Script = ([program, ...args]) => {
  if (args.join(' ') === '--version') return { code: 0, stdout: '9.9.9\n' }
  return program === 'ln' ? { code: 0 } : undefined
}

describe('a panel that stops and starts again, in a browser', () => {
  const paths = areas.flatMap(({ menu }) => (menu ? [menu.path] : []))
  let haproxy: ScratchHaproxy
  let bench: FilesBench
  let web: Awaited<ReturnType<typeof serveWithPages>>
  let browser: Browser
  let watched: Watched

  before(async () => {
    haproxy = await startScratchHaproxy(`${scratchHead}backend app\n  server a 127.0.0.1:9\n`)
    bench = await openFilesBench({
      hasNginx: true,
      haproxy: haproxy.options,
      scripts: [...scriptPages(), installed],
    })
    web = await serveWithPages(bench.panel, `${dirname(entry)}/web`)
    browser = await openBrowser()
    watched = await openPage(browser)
    await signIn({ baseUrl: web.baseUrl, page: watched.page }, bench.panel.admin)
  })
  after(async () => {
    await browser?.close()
    await web?.close()
    await haproxy?.stop()
    await bench?.remove()
  })

  const stopPanel = () => web.close()
  const startPanel = async () => {
    web = await serveWithPages(bench.panel, `${dirname(entry)}/web`, Number(new URL(web.baseUrl).port))
  }
  const lost = (page: Page) => page.getByText('Connection lost')
  /** This panel has no data folder, and so no certificate of its own. */
  const failures = (page: Page) => page.getByRole('alert').filter({ hasNotText: 'certificate' })

  const assertLost = async (page: Page) => {
    await lost(page).waitFor()
    await page.getByText(/The panel last answered at \d/).waitFor()
    const filter = "getComputedStyle(document.querySelector('main [data-is-stale=true]')).filter"
    assert.equal(await page.evaluate(filter), 'grayscale(1)', 'no state looks healthy')
  }
  const assertBack = async (page: Page, path: string) => {
    await lost(page).waitFor({ state: 'detached' })
    await page.locator('main [data-is-stale=false]').waitFor()
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('globalThis.isSame'), true, `${path} was not loaded again`)
    await settles(() => failures(page).count(), 0, `${path} shows no failure`)
    await page.close()
  }

  test('says on every page that the connection is lost, and reads it again when the panel is back', async () => {
    for (let first = 0; first < paths.length; first += tabsAtOnce) {
      const some = paths.slice(first, first + tabsAtOnce)
      const pages = await Promise.all(some.map((path) => openTab(watched.context, `${web.baseUrl}${path}`)))
      await stopPanel()
      for (const page of pages) await assertLost(page)
      const [shown] = pages
      if (first === 0 && shown !== undefined)
        await assertSound(shown, 'a lost connection', ['light, desktop', 'dark, phone'])
      await startPanel()
      for (const [at, page] of pages.entries()) await assertBack(page, some[at] ?? '')
    }
  })

  test('breaks no rule of its content policy and asks no other host', () => {
    assert.deepEqual(watched.complaints, [])
  })
})

/** Opens a page in a tab and marks its document: a document that is loaded again has no mark. */
async function openTab(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  // a tab for each page of the menu shares six connections and two cores with the others
  page.setDefaultTimeout(120_000)
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link').first().waitFor()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
  await page.evaluate('globalThis.isSame = true')
  return page
}
