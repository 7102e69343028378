import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import type { Script } from '../../src/host/testing/scripted-run.ts'
import { addPhpWebsite } from '../../src/areas/page-cache/testing/php-website.ts'
import { scriptPhp } from '../../src/tools/php/testing/scripted-php.ts'
import { openTestPanel, type TestPanel } from '../support/panel.ts'
import { addWebsite } from '../support/websites.ts'
import { assertSound, openBrowser, openPage, type Watched } from './browser.ts'
import { signIn } from './flows/sign-in.ts'
import { serveWithPages } from './lbproxy-panel.ts'

const entry =
  process.env['HOSTREEVE_ENTRY'] ?? fileURLToPath(new URL('../../dist/hostreeve.mjs', import.meta.url))

const programs: Script = ([program]) => {
  if (program === 'find') return { code: 1 }
  return program === 'ln' ? { code: 0 } : undefined
}
const uid = 61_028

describe('the page cache in a browser', () => {
  let panel: TestPanel
  let home: string
  let web: Awaited<ReturnType<typeof serveWithPages>>
  let browser: Browser
  let watched: Watched
  let [blog, fixed] = [0, 0]

  before(async () => {
    home = mkdtempSync(`${tmpdir()}/hostreeve-browser-`)
    chmodSync(home, 0o755)
    mkdirSync(`${home}/ada`)
    chownSync(`${home}/ada`, uid, uid)
    panel = await openTestPanel({
      hasNginx: true,
      accounts: new Map([['ada', { uid, home: `${home}/ada` }]]),
      scripts: [programs, scriptPhp(() => panel.root, '8.1')],
    })
    write('/usr/sbin/php-fpm8.1', '')
    write('/etc/php/8.1/fpm/php.ini', 'memory_limit = 128M\n')
    const ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    blog = await addPhpWebsite(panel, { domain: 'blog.example.com', userId: ada.id, home: `${home}/ada` })
    fixed = await addWebsite(panel, { domain: 'files.example.com', userId: ada.id })
    await panel.start()
    web = await serveWithPages(panel, `${dirname(entry)}/web`)
    browser = await openBrowser()
    watched = await openPage(browser)
    await signIn({ baseUrl: web.baseUrl, page: watched.page }, panel.admin)
  })
  after(async () => {
    await browser?.close()
    await web?.close()
    await panel?.close()
    if (home) rmSync(home, { recursive: true, force: true })
  })

  const write = (path: string, text: string) => {
    mkdirSync(dirname(`${panel.root}${path}`), { recursive: true })
    writeFileSync(`${panel.root}${path}`, text)
  }

  test('is turned on from the page of the website, once its plan was shown', async () => {
    const { page } = watched
    await page.goto(`${web.baseUrl}/websites/${blog}`)
    await page.getByRole('link', { name: 'Page cache' }).click()
    await page.getByText('No pages are kept.').waitFor()
    await assertSound(page, 'the page cache that is off')
    await page.getByRole('switch', { name: 'Keep pages' }).check()
    await page.getByLabel('Lifetime in seconds').fill('120')
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    await page.getByText('The document root has no WordPress').waitFor()
    await assertSound(page, 'the plan of a page cache')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('0 pages').waitFor()
    await page.getByText('Nothing empties the cache when something changes').waitFor()
    const file = readFileSync(`${panel.root}/etc/nginx/hostreeve/sites/blog.example.com.conf`, 'utf8')
    assert.match(file, /fastcgi_cache_valid 200 301 308 120s;/)
    await assertSound(page, 'the page cache')
    assert.deepEqual(watched.complaints, [])
  })

  test('is emptied for one path', async () => {
    const { page } = watched
    const file = `/var/cache/hostreeve-nginx/${blog}/f/de/0123456789abcdef0123456789abcdef`
    write(file, '\u0005\nKEY: http GET blog.example.com blog.example.com "5f-1" /about/\n\n')
    await page.goto(`${web.baseUrl}/websites/${blog}/page-cache`)
    await page.getByText(/^1 page,/).waitFor()
    await page.getByLabel('Path', { exact: true }).fill('/about/')
    await page.getByRole('button', { name: 'Empty the cache' }).click()
    await page.getByText('Remove the pages that nginx keeps of /about/').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove pages' }).click()
    await page.getByText('0 pages').waitFor()
    assert.ok(!existsSync(`${panel.root}${file}`))
    assert.deepEqual(watched.complaints, [])
  })

  test('is no matter of websites without PHP', async () => {
    const { page } = watched
    await page.goto(`${web.baseUrl}/websites/${fixed}/page-cache`)
    await page.getByText('Only websites of PHP have a page cache').waitFor()
    await assertSound(page, 'the page cache of files')
  })
})
