import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Refusal } from '../calls.ts'
import { countTrees } from './count.ts'

describe('counting what a call would reach', () => {
  const root = mkdtempSync(join(tmpdir(), 'count-'))
  const home = process.cwd()
  before(() => {
    mkdirSync(join(root, 'a/b'), { recursive: true })
    writeFileSync(join(root, 'a/b/c'), '12345')
    symlinkSync('..', join(root, 'a/up'))
    process.chdir(root) // paths are from the home, which is the working folder of the confined program
  })
  after(() => {
    process.chdir(home)
    rmSync(root, { recursive: true })
  })

  it('counts everything below the paths, and follows no link', async () => {
    assert.deepEqual(await countTrees(['a'], {}), { entries: 4, bytes: 5, isCut: false })
    assert.deepEqual(await countTrees(['a/b/c', 'a/up'], {}), { entries: 2, bytes: 5, isCut: false })
    assert.deepEqual(await countTrees(['a'], { leavesOut: (name) => name === 'b' }), {
      entries: 2,
      bytes: 0,
      isCut: false,
    })
  })

  it('reports an incomplete count on a timeout, or if an entry vanished', async () => {
    assert.deepEqual(await countTrees(['a'], {}, -1), { entries: 0, bytes: 0, isCut: true })
    assert.deepEqual(await countTrees(['gone'], {}), { entries: 0, bytes: 0, isCut: true })
  })

  it('names the whole path if the refusal has none', async () => {
    const meet = ({ found }: { readonly found: { isFile(): boolean } }) => {
      if (found.isFile()) throw new Refusal('EPERM')
    }
    await assert.rejects(countTrees(['a'], { meet }), { code: 'EPERM', path: 'a' })
  })
})
