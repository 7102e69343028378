import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
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

/** The color schemes and window sizes in which pages are checked. */
export const views = [
  { name: 'light, desktop', scheme: 'light', width: 1280, height: 860 },
  { name: 'dark, desktop', scheme: 'dark', width: 1280, height: 860 },
  { name: 'dark, phone', scheme: 'dark', width: 360, height: 740 },
  { name: 'light, phone', scheme: 'light', width: 360, height: 740 },
] as const

type ViewName = (typeof views)[number]['name']

/** The context of a flow. */
export interface Visit {
  readonly baseUrl: string
  readonly page: Page
}

/** A page that records the errors of the browser. */
export interface Watched {
  readonly page: Page
  readonly context: BrowserContext
  readonly complaints: readonly string[]
}

/** Starts Debian's Chromium. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args: flags })
}

/** Opens a page in a new session and records violations of the content policy and uncaught errors. */
export async function openPage(browser: Browser): Promise<Watched> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(60_000)
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

/** Counts the presses of the mouse from now on, also across reloads. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  const count = `addEventListener('pointerdown', () =>
    sessionStorage.setItem('clicks', String(1 + Number(sessionStorage.getItem('clicks')))), true)`
  await page.addInitScript(count)
  await page.evaluate(count)
  return async () => Number(await page.evaluate(`sessionStorage.getItem('clicks')`))
}

// A change of the color scheme starts its transitions a frame or two later.
const settled = `(async () => {
  for (let frame = 0; frame < 3; frame++) await new Promise((next) => requestAnimationFrame(next))
  const passing = document.getAnimations().filter((each) => each.effect?.getComputedTiming().iterations !== Infinity)
  await Promise.all(passing.map((each) => each.finished.catch(() => undefined)))
})()`

/**
 * Checks accessibility and horizontal overflow of a page in each scheme and width, or in some of them. A scheme
 * changes nothing but colors, so that a width that was checked in one is checked for contrast in the other.
 */
export async function assertSound(
  page: Page,
  title: string,
  inViews: readonly ViewName[] = views.map(({ name }) => name),
): Promise<void> {
  await assertSoundIn(
    page,
    title,
    views.filter(({ name }) => inViews.includes(name)),
  )
}

/** The same on a phone, a tablet and a desktop; the open page is resized. */
export async function assertSoundOnAllScreens(page: Page, title: string): Promise<void> {
  await assertSoundIn(page, title, screens)
}

const screens: readonly View[] = [1440, 768, 390].flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({
    name: `${scheme}, ${width} px`,
    scheme,
    width,
    height: 860,
  })),
)

interface View {
  readonly name: string
  readonly scheme: 'light' | 'dark'
  readonly width: number
  readonly height: number
}

async function assertSoundIn(page: Page, title: string, chosen: readonly View[]): Promise<void> {
  const widths = new Set<number>()
  const schemes = new Set<View['scheme']>()
  try {
    for (const view of chosen) {
      await page.emulateMedia({ colorScheme: view.scheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width: view.width, height: view.height })
      await page.evaluate(settled)
      await keepPicture(page, title, view)
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      assert.ok(overflow <= 0, `${title} (${view.name}) scrolls sideways by ${overflow} px`)
      // a width has its own elements, and a scheme its own colors; the check of a pair finds nothing that neither has
      const isKnownWidth = widths.has(view.width)
      if (isKnownWidth && schemes.has(view.scheme)) continue
      const rules = isKnownWidth ? ['color-contrast'] : undefined
      assert.deepEqual(await violationsOf(page, rules), [], `${title} (${view.name})`)
      widths.add(view.width)
      schemes.add(view.scheme)
    }
  } finally {
    await page.setViewportSize({ width: 1280, height: 860 })
  }
}

/** Keeps a picture of each page that is checked in the folder that HOSTREEVE_PICTURES names, for reviews and for the guides. */
async function keepPicture(page: Page, title: string, { scheme, width }: View): Promise<void> {
  const folder = process.env['HOSTREEVE_PICTURES']
  if (folder === undefined) return
  const name = `${title.replaceAll(/[^a-z0-9]+/gi, '-').replaceAll(/^-|-$/g, '')}-${width}-${scheme}.png`
  await page.screenshot({ path: join(folder, name), fullPage: true })
}

/** Runs all rules, or those named, through the debugger, which the page's content policy does not restrict. */
async function violationsOf(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe)
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const { violations } = await page.evaluate<AxeRun>(`axe.run(document, ${JSON.stringify(options)})`)
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
