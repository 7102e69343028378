import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { keptCode } from '../../src/app/code-cache.ts'
import { bundle, bundlePanel } from '../bundle.ts'

/** A program of three areas. `shop` is opened at start; what it sells is decided on first use. */
const sources: Readonly<Record<string, string>> = {
  'app/main.ts': `
    import { rmSync } from 'node:fs'
    import { shop, limit } from '../areas/shop/index.ts'
    console.log('start', shop.open(), limit)
    if (process.argv[3] === 'alone') rmSync(import.meta.dirname, { recursive: true })
    void Promise.resolve().then(() => {
      console.log('use', shop.sell('tea'), shop.sell('milk'))
      shop.ship().catch(({ name }) => console.log('rejects with', name))
    })`,
  'areas/shop/index.ts': `
    import { describeSale } from '../till/describe.ts'
    import { ship } from '../van/ship.ts'
    import { openShop } from './open.ts'
    import { sell, type Sale } from './sell.ts'
    export { limit } from './sell.ts'
    const declare = (draft: object) => draft
    export const shop = declare({
      open: () => openShop(),
      sell: (what: string): Sale => sell(what),
      describe: (sale: Sale) => describeSale(sale),
      ship: () => ship(),
    }) as any`,
  'areas/shop/open.ts': `
    export function openShop(): string { return named('open') }
    const named = (name: string) => 'the shop is ' + name`,
  'areas/shop/sell.ts': `
    import { describeSale } from '../till/describe.ts'
    export interface Sale { readonly what: string }
    export const limit = 2 * 8
    let sold = 0
    const note = console.log('load')
    export function sell(what: string): string { return describeSale({ what }, (sold += 1)) + (note ?? '') }`,
  'areas/till/describe.ts': `
    export const describeSale = (sale: { readonly what: string }, at = 0): string => at + ' ' + sale.what`,
  'areas/van/ship.ts': `
    const van = JSON.parse('{')
    export const ship = (): Promise<string> => van.ship()`,
}

const started = 'start the shop is open 16\n'
const used = 'load\nuse 1 tea 2 milk\nrejects with SyntaxError\n'

describe('a program that loads on first use what a start does not run', () => {
  const root = `${mkdtempSync(`${tmpdir()}/hostreeve-first-use-`)}/`
  const boot = fileURLToPath(new URL('../../src/app/boot.ts', import.meta.url))
  before(async () => {
    for (const [name, text] of Object.entries(sources)) {
      mkdirSync(dirname(`${root}src/${name}`), { recursive: true })
      writeFileSync(`${root}src/${name}`, text)
    }
    await bundle(boot, `${root}dist`, 'hostreeve.mjs')
    await bundlePanel({ root, main: `${root}src/app/main.ts`, dir: `${root}dist`, build: 'abc' })
  })
  after(() => rmSync(root, { recursive: true, force: true }))

  const run = (dist: string, ...args: readonly string[]) => {
    const argv = [`${root}${dist}/hostreeve.mjs`, ...args]
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
    assert.deepEqual([status, signal], [0, null], stderr)
    return stdout
  }

  it('loads a part once, at the first call; an error of the part rejects where a promise is due', () => {
    assert.equal(run('dist', 'version'), started + used)
    const files = readdirSync(`${root}dist`, { recursive: true, encoding: 'utf8' })
    assert.deepEqual(
      files.filter((name) => name.endsWith('.cjs')),
      ['panel.cjs'],
    )
  })

  it('needs no file once it runs', () => {
    cpSync(`${root}dist`, `${root}replaced`, { recursive: true })
    assert.equal(run('replaced', 'version', 'alone'), started + used)
    assert.ok(!readdirSync(root).includes('replaced'))
  })

  it('starts without its kept code if a byte of it has changed or is missing, and keeps it anew', () => {
    assert.equal(run('dist', 'serve'), started + used)
    const folder = `${root}dist/.compile-cache`
    const file = `${folder}/${readdirSync(folder)[0]}`
    const kept = readFileSync(file)
    const zeroed = Buffer.from(kept).fill(0, kept.length >> 1)
    const flipped = (at: number) => kept.with(at, (kept[at] as number) ^ 1)
    const ends = [0, 1, 40, kept.length >> 1, kept.length - 1]
    for (const bytes of [
      zeroed,
      ...ends.map((end) => kept.subarray(0, end)),
      ...[0, 32, 40, kept.length >> 1, kept.length - 1].map(flipped),
    ]) {
      writeFileSync(file, bytes)
      assert.equal(keptCode(file), undefined)
      assert.equal(run('dist', 'version'), started + used)
    }
    assert.equal(run('dist', 'serve'), started + used)
    assert.notEqual(keptCode(file), undefined)
    const facts = () => {
      const { ino, mtimeNs } = statSync(file, { bigint: true })
      return { ino, mtimeNs }
    }
    const before = facts()
    assert.equal(run('dist', 'serve'), started + used)
    assert.deepEqual(facts(), before) // code that is not accepted is replaced
  })
})
