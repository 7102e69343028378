import assert from 'node:assert/strict'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { after, describe, it } from 'node:test'
import { Script } from 'node:vm'
import { keepCode, keptCode } from './code-cache.ts'

const root = mkdtempSync(`${tmpdir()}/hostreeve-code-cache-`)
after(() => rmSync(root, { recursive: true, force: true }))

const text = `(() => [${Array.from({ length: 5 }, (_, at) => `() => 'number ${at}'`).join()}])()`
const code = new Script(text).createCachedData()

/** Keeps the code in a folder of its own. */
function keptIn(name: string): string {
  const file = `${root}/${name}/panel-one`
  keepCode(file, code)
  return file
}

describe('kept code', () => {
  it('is taken by V8 as it was', () => {
    const cachedData = keptCode(keptIn('whole')) as Buffer
    assert.deepEqual(Buffer.from(cachedData), code)
    assert.equal(new Script(text, { cachedData }).cachedDataRejected, false)
  })

  it('is refused with a byte changed, cut, and with more at its end', () => {
    const file = keptIn('damaged')
    const kept = readFileSync(file)
    const refused = (bytes: Uint8Array) => {
      writeFileSync(file, bytes)
      assert.equal(keptCode(file), undefined)
    }
    for (let at = 0; at < kept.length; at += 13) {
      refused(kept.with(at, (kept[at] as number) ^ (1 << (at % 8))))
      refused(kept.subarray(0, at))
    }
    refused(Buffer.from(kept).fill(0, kept.length >> 1))
    refused(Buffer.concat([kept, Buffer.from([0])]))
  })

  it('is refused under the name of another build, whose text may be as long', () => {
    const file = keptIn('named')
    copyFileSync(file, `${root}/named/panel-two`)
    assert.equal(keptCode(`${root}/named/panel-two`), undefined)
    assert.equal(keptCode(`${root}/named/panel-three`), undefined)
  })

  it('replaces that of other builds and what a killed panel left, once it is written', () => {
    keptIn('again')
    for (const left of ['panel-two.123', 'v26-x64']) mkdirSync(`${root}/again/${left}`)
    keepCode(`${root}/again/panel-two`, code)
    assert.deepEqual(readdirSync(`${root}/again`), ['panel-two'])
  })

  it('stays where the next cannot be written, of which nothing is left', () => {
    const file = keptIn('full')
    mkdirSync(`${root}/full/panel-two/inside`, { recursive: true }) // nothing is renamed onto it
    keepCode(`${root}/full/panel-two`, code)
    assert.notEqual(keptCode(file), undefined)
    assert.deepEqual(readdirSync(`${root}/full`), ['panel-one', 'panel-two'])
  })
})
