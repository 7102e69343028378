import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { after, afterEach, beforeEach, describe, it } from 'node:test'
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

const canMount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', root]).status === 0
if (canMount) spawnSync('umount', [root])

describe('a first start on a full disk', { skip: !canMount && 'needs root, to mount a small disk' }, () => {
  beforeEach(() => spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', dir]))
  afterEach(() => spawnSync('umount', [dir]))

  for (const pages of [0, 1])
    it(`leaves no certificate in part with room for ${pages} of its two files`, async () => {
      writeFileSync(`${dir}/filler`, Buffer.alloc((2 - pages) * 4096))
      await assert.rejects(
        make(),
        /no room is left on the disk that holds .*: make room and start the panel again/,
      )
      rmSync(`${dir}/filler`)
      const made = assertServable(await make(), dir)
      assert.match(new X509Certificate(made.cert).subject, /^CN=/)
    })
})
