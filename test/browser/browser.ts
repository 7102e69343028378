import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** How a page is looked at. */
export const views = [
  { name: 'light, desktop', scheme: 'light', width: 1280, height: 860 },
  { name: 'dark, phone', scheme: 'dark', width: 360, height: 740 },
  { name: 'dark, desktop', scheme: 'dark', width: 1280, height: 860 },
  { name: 'light, phone', scheme: 'light', width: 360, height: 740 },
] as const

type ViewName = (typeof views)[number]['name']

/** What a flow is handed. */
export interface Visit {
  readonly baseUrl: string
  readonly page: Page
}

/** A page that notes what the browser complains of. */
export interface Watched {
  readonly page: Page
  readonly context: BrowserContext
  readonly complaints: readonly string[]
}

/** Starts Debian's Chromium. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args: flags })
}

/** Opens a page of its own session; violations of the content policy and uncaught errors are noted. */
export async function openPage(browser: Browser): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (!/^(?:http:\/\/localhost:|blob:|data:)/.test(request.url()))
      complaints.push(`asked another host: ${request.url()}`)
  })
  return { page, context, complaints }
}

// a change of scheme begins its transitions a frame or two later
const settled = `(async () => {
  for (let frame = 0; frame < 3; frame++) await new Promise((next) => requestAnimationFrame(next))
  const passing = document.getAnimations().filter((each) => each.effect?.getComputedTiming().iterations !== Infinity)
  await Promise.all(passing.map((each) => each.finished.catch(() => undefined)))
})()`

/** Checks that a page keeps to the accessibility rules and does not scroll sideways, in each scheme and width, or in some of them. */
export async function assertSound(
  page: Page,
  title: string,
  inViews: readonly ViewName[] = views.map(({ name }) => name),
): Promise<void> {
  try {
    for (const view of views.filter(({ name }) => inViews.includes(name))) {
      await page.emulateMedia({ colorScheme: view.scheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width: view.width, height: view.height })
      await page.evaluate(settled)
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      assert.ok(overflow <= 0, `${title} (${view.name}) scrolls sideways by ${overflow} px`)
      assert.deepEqual(await violationsOf(page), [], `${title} (${view.name})`)
    }
  } finally {
    await page.setViewportSize({ width: 1280, height: 860 })
  }
}

/** The browser runs the rules through its debugger, which the page's content policy does not bind. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeRun>("axe.run(document, { resultTypes: ['violations'] })")
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) =>
        `${id}: ${html.slice(0, 200)} ${failureSummary.replaceAll('\n', ' ').slice(0, 300)}`,
    ),
  )
}

interface AxeRun {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
  }[]
}
