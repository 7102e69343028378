import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readBundle } from '../src/app/bundle.ts'
import { bundlePanel } from './bundle.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(`${tmpdir()}/hostreeve-bundle-`)
const file = `${folder}/dist/panel.cjs`

/** Runs the panel for its version, then loads all its parts; prints the exports of each, and of these modules what they have. */
const probe = `
  import { Script } from 'node:vm'
  import { openLoader, readBundle } from ${JSON.stringify(`${root}src/app/bundle.ts`)}
  const { text, parts } = readBundle(${JSON.stringify(file)})
  const { run, load } = openLoader(${JSON.stringify(`${folder}/dist`)}, parts)
  run('panel.cjs', new Script(text))
  const ofModule = (module) =>
    Object.keys(module).filter((name) => typeof module[name] === 'function')
  const ofPart = (name) =>
    Object.entries(load(name)).flatMap(([key, value]) => (/^m\\d+$/.test(key) ? [[key, ofModule(value)]] : []))
  console.log(JSON.stringify([...parts.keys()].map((name) => [name, Object.fromEntries(ofPart(name))])))`

describe('the bundle of the panel', () => {
  before(async () => {
    copyFileSync(`${root}package.json`, `${folder}/package.json`)
    await bundlePanel({ root, main: `${root}src/app/main.ts`, dir: `${folder}/dist`, build: 'test' })
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('has parts that all load, with every function that is called on first use', () => {
    writeFileSync(`${folder}/probe.mjs`, probe)
    const argv = [`${folder}/probe.mjs`, 'version']
    const printed = execFileSync(process.execPath, argv, { encoding: 'utf8', maxBuffer: 2 ** 26 })
    const lines = printed.trim().split('\n')
    const json = lines.find((line) => line.startsWith('[')) as string
    assert.equal(lines.length, 2, printed)
    const parts = new Map(JSON.parse(json) as [string, Readonly<Record<string, readonly string[]>>][])
    const called = calledOnFirstUse(readBundle(file).text)
    const missing = called.filter(({ part, module, name }) => !parts.get(part)?.[module]?.includes(name))
    assert.deepEqual(missing, [])
    const ofModules = [...parts].filter(([, modules]) => Object.keys(modules).length > 0)
    assert.notEqual(ofModules.length, 0)
    assert.deepEqual(new Set(ofModules.map(([part]) => part)), new Set(called.map(({ part }) => part)))
  })
})

/** The functions that stand for those of parts, by the arguments that they are made with. */
function calledOnFirstUse(text: string) {
  return [...text.matchAll(/\(([`'"])([\w/.-]+\.cjs)\1,\s*\1(m\d+)\1,\s*\1(\w+)\1\)/g)].map(
    ([, , part = '', module = '', name = '']) => ({ part, module, name }),
  )
}
