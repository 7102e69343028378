import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { after, beforeEach, describe, it } from 'node:test'
import { assertServable, panelCertificate } from './certificate.ts'

const root = mkdtempSync('/tmp/hostreeve-certificate-')
after(() => rmSync(root, { recursive: true }))
const now = new Date()
let count = 0
let dir: string
beforeEach(() => {
  dir = `${root}/${(count += 1)}`
  mkdirSync(`${dir}/tls`, { recursive: true })
})
const make = () => panelCertificate(dir, now)
const put = (name: string, text: string) => writeFileSync(`${dir}/tls/${name}`, text)

describe("the panel's certificate", () => {
  it('is made once, with its key for the panel alone', async () => {
    const made = assertServable(await make(), dir)
    assert.deepEqual(await make(), made)
    assert.equal(statSync(`${dir}/tls/panel.key`).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(`${dir}/tls`).toSorted(), ['panel.crt', 'panel.key'])
  })

  for (const left of [['panel.key'], ['panel.crt'], ['panel.key', 'panel.crt']])
    it(`is made again where an earlier start left empty: ${left.join(', ')}`, async () => {
      for (const name of left) put(name, '')
      const made = assertServable(await make(), dir)
      assert.equal(readFileSync(`${dir}/tls/panel.key`, 'utf8'), made.key)
    })

  it('is made again where a start ended between its key and itself', async () => {
    const { key } = await make()
    rmSync(`${dir}/tls/panel.crt`)
    const made = assertServable(await make(), dir)
    assert.notEqual(made.key, key)
  })

  it('that is damaged, has no key or another one is refused with what to do, and kept', async () => {
    const { cert, key } = await make()
    const other = await panelCertificate(`${dir}/other`, now)
    for (const [name, text] of [
      ['panel.crt', cert.slice(0, 200)],
      ['panel.key', key.slice(0, 100)],
      ['panel.key', ''],
      ['panel.key', other.key],
    ] as const) {
      put('panel.crt', cert)
      put('panel.key', key)
      put(name, text)
      const read = await make()
      assert.throws(
        () => assertServable(read, dir),
        /put the right files there, or remove both and the panel/,
      )
      assert.equal(readFileSync(`${dir}/tls/${name}`, 'utf8'), text)
    }
  })
})
