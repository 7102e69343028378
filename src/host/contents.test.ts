import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openContents } from './contents.ts'

const root = mkdtempSync(join(tmpdir(), 'contents-'))
after(() => rmSync(root, { recursive: true, force: true }))
const text = Buffer.from('the same line again\n'.repeat(1000))
const files = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

for (const [where, folder] of [
  ['on the disk', join(root, 'a')],
  ['in memory', undefined],
] as const) {
  describe(`contents ${where}`, () => {
    const contents = openContents(folder)

    it('come back byte for byte, are compressed, and lie there once', async () => {
      const { sha256, storedBytes } = await contents.put(1, text)
      assert.ok(storedBytes < text.length / 10)
      assert.deepEqual(await contents.put(1, text), { sha256, storedBytes })
      assert.deepEqual(await contents.get(1, sha256, text.length), text)
      const empty = await contents.put(1, Buffer.alloc(0))
      assert.deepEqual(await contents.get(1, empty.sha256, 0), Buffer.alloc(0))
    })

    it('are not reached from another shelf, and not unpacked beyond the limit', async () => {
      const { sha256 } = await contents.put(1, text)
      assert.equal(await contents.get(2, sha256, text.length), undefined)
      assert.equal(await contents.get(1, sha256, text.length - 1), undefined)
      assert.equal(await contents.get(1, 'f'.repeat(64), 10), undefined)
    })

    it('are removed, and swept where nobody wants them', async () => {
      const [one, two] = [await contents.put(3, Buffer.from('1')), await contents.put(3, Buffer.from('2'))]
      assert.equal(await contents.sweep(3, new Set([one.sha256])), 1)
      assert.deepEqual(
        [await contents.get(3, one.sha256, 9), await contents.get(3, two.sha256, 9)],
        [Buffer.from('1'), undefined],
      )
      await contents.remove(3, [one.sha256, two.sha256])
      assert.equal(await contents.get(3, one.sha256, 9), undefined)
      assert.ok((await contents.owners()).includes(1))
    })
  })
}

describe('contents on the disk', () => {
  const folder = join(root, 'b')
  const contents = openContents(folder)

  it('are readable by root alone, and what is torn is written again', async () => {
    const { sha256 } = await contents.put(7, text)
    const place = join(folder, '7', sha256.slice(0, 2), `${sha256}.zst`)
    assert.deepEqual(
      [statSync(place).mode & 0o777, statSync(folder).mode & 0o777, statSync(join(folder, '7')).mode & 0o777],
      [0o600, 0o700, 0o700],
    )
    writeFileSync(place, 'torn')
    assert.equal(await contents.get(7, sha256, text.length), undefined)
    await contents.put(7, text)
    assert.deepEqual(await contents.get(7, sha256, text.length), text)
  })

  it('leave nothing of what a killed panel did not finish', async () => {
    const { sha256 } = await contents.put(7, text)
    writeFileSync(join(folder, '7', sha256.slice(0, 2), `${sha256}.zst.0123456789ab.new`), 'half')
    assert.equal(await contents.sweep(7, new Set([sha256])), 1)
    assert.deepEqual(
      files(folder).map(({ name }) => name),
      [`${sha256}.zst`],
    )
    await contents.sweep(7, new Set())
    assert.equal(existsSync(join(folder, '7')), false)
    assert.deepEqual(await contents.owners(), [])
  })
})
