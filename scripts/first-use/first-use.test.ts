import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { after, describe, it } from 'node:test'
import { rolldown } from 'rolldown'
import { loadedOnFirstUse } from './plugin.ts'

/** A program of two areas. `shop` is opened at start; what it sells is decided on first use. */
const sources: Readonly<Record<string, string>> = {
  'app/main.ts': `
    import { shop, limit } from '../areas/shop/index.ts'
    console.log('start', shop.open(), limit)
    void Promise.resolve().then(() => console.log('use', shop.sell('tea'), shop.sell('milk')))`,
  'areas/shop/index.ts': `
    import { describeSale } from '../till/describe.ts'
    import { openShop } from './open.ts'
    import { sell, type Sale } from './sell.ts'
    export { limit } from './sell.ts'
    const declare = (draft: object) => draft
    export const shop = declare({
      open: () => openShop(),
      sell: (what: string): Sale => sell(what),
      describe: (sale: Sale) => describeSale(sale),
    }) as any`,
  'areas/shop/open.ts': `
    export function openShop(): string { return named('open') }
    const named = (name: string) => 'the shop is ' + name`,
  'areas/shop/sell.ts': `
    import { describeSale } from '../till/describe.ts'
    export interface Sale { readonly what: string }
    export const limit = 2 * 8
    let sold = 0
    export function sell(what: string): string { return describeSale({ what }, (sold += 1)) }`,
  'areas/till/describe.ts': `
    export const describeSale = (sale: { readonly what: string }, at = 0): string => at + ' ' + sale.what`,
}

describe('what a start does not run', () => {
  const root = `${mkdtempSync(`${tmpdir()}/hostreeve-first-use-`)}/`
  after(() => rmSync(root, { recursive: true, force: true }))

  it('is in a part of its folder, which the first call loads, once', async () => {
    for (const [name, text] of Object.entries(sources)) {
      mkdirSync(dirname(`${root}src/${name}`), { recursive: true })
      writeFileSync(`${root}src/${name}`, text)
    }
    const main = `${root}src/app/main.ts`
    const { plugin, codeSplitting } = loadedOnFirstUse({ root, main, build: 'abc', also: [] })
    const bundle = await rolldown({ input: main, platform: 'node', plugins: [plugin], logLevel: 'silent' })
    await bundle.write({ dir: `${root}dist`, format: 'cjs', entryFileNames: 'panel.cjs', codeSplitting })
    writeFileSync(`${root}dist/package.json`, '{}')
    const parts = readdirSync(`${root}dist/on-first-use`)
    assert.ok(parts.includes('areas-shop-abc.cjs') && parts.includes('areas-till-abc.cjs'), parts.join())
    const run = () =>
      execFileSync(process.execPath, [`${root}dist/panel.cjs`], { encoding: 'utf8', stdio: 'pipe' })
    assert.equal(run(), 'start the shop is open 16\nuse 1 tea 2 milk\n')
    rmSync(`${root}dist/on-first-use/areas-shop-abc.cjs`)
    assert.throws(run, ({ stdout }: { stdout: string }) => stdout.startsWith('start the shop is open 16\n'))
  })
})
