import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { secondsOf } from '../test/budgets.ts'
import { openBrowser, openPage } from '../test/browser/browser.ts'
import { signIn } from '../test/browser/flows/sign-in.ts'
import { disguiseHost, openScene } from '../test/browser/scene.ts'
import { checkout } from '../test/runner/test-process.ts'
import { runSuites } from '../test/runner/suites.ts'
import { fileOf, mostBytes, pictures, type Source, width } from '../test/tour.ts'

// node scripts/run.mjs scripts/pictures.ts [AREA ...]: takes the pictures of docs/tour.md, of all areas or of those named. They are
// what the browser suites look at, or pages of a panel that looks used. Suites do not run whose pictures are in the folder
// that HOSTREEVE_PICTURES names, in one of the name of the suite. Needs root, Debian and what the suites need.
const tallest = 860
const testTimeoutMs = 300_000
/** Run in the browser. */
const encode = `async ({ url, width, tallest, mostBytes }) => {
  const image = Object.assign(new Image(), { src: url })
  await image.decode()
  const canvas = document.createElement('canvas')
  const height = Math.round(image.height * width / image.width)
  Object.assign(canvas, { width, height: Math.min(height, tallest) })
  const context = canvas.getContext('2d', { alpha: false })
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, width, height)
  for (let quality = 0.9; quality > 0.1; quality -= 0.1) {
    const [, data] = canvas.toDataURL('image/webp', quality).split(',')
    if (data.length * 0.75 <= mostBytes) return data
  }
  throw new Error('no quality is small enough')
}`

process.exitCode = await main(process.argv.slice(2))

async function main(named: readonly string[]): Promise<number> {
  const unknown = named.filter((area) => pictures[area] === undefined)
  if (unknown.length > 0) {
    process.stderr.write(`test/tour.ts names no picture of ${unknown.join(', ')}\n`)
    return 2
  }
  const chosen = Object.entries(pictures).filter(([area]) => named.length === 0 || named.includes(area))
  const built = spawnSync(process.execPath, ['scripts/build.ts'], { cwd: checkout, stdio: 'inherit' })
  if (built.status !== 0) return built.status ?? 1
  const kept = process.env['HOSTREEVE_PICTURES']
  const folder = kept ?? mkdtempSync(`${tmpdir()}/hostreeve-pictures-`)
  mkdirSync(folder, { recursive: true })
  try {
    return await take(new Map(chosen), folder)
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

/** Takes the pictures into docs/pictures; returns 1 if one of them could not be taken. */
async function take(chosen: ReadonlyMap<string, Source>, folder: string): Promise<number> {
  await runMissing([...chosen.values()], folder)
  await lookAround(chosen, folder)
  const browser = await openBrowser()
  let code = 0
  try {
    const page = await browser.newPage()
    for (const [area, source] of chosen) {
      const from = keptAt(folder, source)
      if (from === undefined) {
        process.stderr.write(`${area}: there is no picture of ${JSON.stringify(source)}\n`)
        code = 1
        continue
      }
      const picture = await reduced(page, readFileSync(from))
      writeFileSync(`${checkout}${fileOf(area)}`, picture)
      process.stdout.write(`${fileOf(area)}: ${Math.ceil(picture.length / 1024)} KiB\n`)
    }
  } finally {
    await browser.close()
  }
  return code
}

/** Runs the suites whose pictures are not there yet. */
async function runMissing(sources: readonly Source[], folder: string): Promise<void> {
  const names = sources.flatMap((source) =>
    'suite' in source && keptAt(folder, source) === undefined ? [source.suite] : [],
  )
  // one after another, as two of them may name their pictures alike
  for (const name of new Set(names))
    await runSuites({
      ...{ folder: 'test/browser', names: [name], limit: 1, testTimeoutMs },
      secondsOf: () => secondsOf('browser', name),
      env: { HOSTREEVE_PICTURES: join(folder, name) },
    })
}

/** Takes the pictures of the pages that no suite looks at with enough on them. */
async function lookAround(chosen: ReadonlyMap<string, Source>, folder: string): Promise<void> {
  const paths = [...chosen].flatMap(([area, source]) =>
    'path' in source ? [[area, source.path] as const] : [],
  )
  if (paths.length === 0) return
  const scene = await openScene(`${checkout}dist/web`)
  const browser = await openBrowser()
  try {
    const { page } = await openPage(browser)
    await disguiseHost(page)
    await signIn({ baseUrl: scene.baseUrl, page }, scene.panel.admin)
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    for (const [, path] of paths) {
      await page.goto(scene.baseUrl + path.replace('$id', String(scene.websiteId)))
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
      await page.waitForLoadState('networkidle')
      await page.screenshot({ path: join(folder, sceneFile(path)) })
    }
  } finally {
    await browser.close()
    await scene.close()
  }
}

function sceneFile(path: string): string {
  return `scene${path.replaceAll(/[^a-z0-9]+/gi, '-')}.png`
}

/** Where the picture of a source lies, which suites name after its title, and the width and the scheme of the window. */
function keptAt(folder: string, source: Source): string | undefined {
  if ('path' in source) return join(folder, sceneFile(source.path))
  const title = source.title.replaceAll(/[^a-z0-9]+/gi, '-').replaceAll(/^-|-$/g, '')
  const file = join(folder, source.suite, `${title}-${width}-light.png`)
  return existsSync(file) ? file : undefined
}

/** Returns the top of a picture in the width of the tour, as WebP that is small enough. */
async function reduced(page: Page, png: Buffer): Promise<Buffer> {
  const given = { url: `data:image/png;base64,${png.toString('base64')}`, width, tallest, mostBytes }
  return Buffer.from(await page.evaluate<string>(`(${encode})(${JSON.stringify(given)})`), 'base64')
}
