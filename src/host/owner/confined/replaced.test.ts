import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { replacedFiles, versionAt } from './replaced.ts'

describe('the files that an unpacked tree replaces', () => {
  const root = mkdtempSync(join(tmpdir(), 'replaced-'))
  const home = process.cwd()
  before(() => {
    for (const folder of ['new', 'old']) mkdirSync(join(root, folder))
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      writeFileSync(join(root, 'new', name), name === 'e' ? 'same' : 'new')
      writeFileSync(join(root, 'old', name), name === 'e' ? 'same' : 'old')
    }
    process.chdir(root) // paths are from the home, which is the working folder of the confined program
  })
  after(() => {
    process.chdir(home)
    rmSync(root, { recursive: true })
  })
  const moves = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
    from: `new/${name}`,
    to: `old/${name}`,
    replacesFile: true,
  }))

  it('names files replaced by different content up to the limit, and counts the others', async () => {
    const { replaced, equal } = await replacedFiles(moves, { maxFiles: 3, compareBytes: 100 }, () => {})
    assert.deepEqual(replaced, { paths: ['old/a', 'old/b', 'old/c'], further: 1 })
    assert.deepEqual([...equal.values()], [await versionAt('old/e')])
  })

  it('treats files too large to compare as different, and leaves out moves that replace nothing', async () => {
    const named = await replacedFiles(moves, { maxFiles: 9, compareBytes: 3 }, () => {})
    assert.deepEqual(named.replaced, { paths: moves.map(({ to }) => to), further: 0 })
    const none = moves.map((move) => ({ ...move, replacesFile: false }))
    assert.deepEqual((await replacedFiles(none, { maxFiles: 9, compareBytes: 100 }, () => {})).replaced, {
      paths: [],
      further: 0,
    })
  })
})
