import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
