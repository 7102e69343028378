import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Owner } from '../owner.ts'
import { asOwner, type Bench, makeBench, skip } from '../testing/homes.ts'

const author = { name: 'Ann', email: 'ann@example.com' }

describe('names of a repository', { skip }, () => {
  let [bench, owner] = [{} as Bench, {} as Owner]
  const at = (...parts: string[]) => join(bench.alice.home, ...parts)
  const git = (...args: string[]) =>
    asOwner(
      bench.alice,
      'env',
      '-i',
      'PATH=/usr/bin',
      `HOME=${at()}`,
      'git',
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@x',
      ...args,
    )

  before(() => {
    bench = makeBench()
    owner = bench.owners.of(bench.alice)
  })
  after(() => bench.remove())
  beforeEach(() => {
    rmSync(at('r'), { recursive: true, force: true })
    git('init', '-q', '-b', 'main', 'r')
    git('-C', 'r', 'commit', '-q', '--allow-empty', '-m', 'First')
  })

  it('that equal marker files do not indicate an operation in progress', async () => {
    for (const name of ['MERGE_HEAD', 'REVERT_HEAD']) git('-C', 'r', 'tag', name)
    git('-C', 'r', 'branch', 'CHERRY_PICK_HEAD')
    assert.equal((await owner.git.status('r', author))?.operation, 'none')
    writeFileSync(at('r/.git/MERGE_HEAD'), git('-C', 'r', 'rev-parse', 'HEAD'))
    assert.equal((await owner.git.status('r', author))?.operation, 'merge')
  })

  it('shared by a tag and a branch resolve to the branch', async () => {
    git('-C', 'r', 'tag', 'main')
    git('-C', 'r', 'remote', 'add', 'origin', 'https://git.example.com/x.git')
    assert.equal((await owner.git.destination('r', 'push', {})).branch, 'main')
    git('-C', 'r', 'checkout', '-q', '--detach')
    await assert.rejects(owner.git.destination('r', 'push', {}), /r: no branch is checked out/)
  })

  it('of folders may contain newlines, and lead to no other folder', async () => {
    git('init', '-q', 'n')
    git('init', '-q', 'n\nx')
    git('-C', 'n', 'config', 'filter.x.clean', 'false')
    assert.equal((await owner.git.status('n\nx', author))?.root, 'n\nx')
    await assert.rejects(owner.git.status('n', author), /filter\.x\.clean/)
  })

  it('of folders reached by a link are those of its target', async () => {
    asOwner(bench.alice, 'ln', '-s', 'r', 'link')
    assert.equal((await owner.git.status('link', author))?.root, 'r')
    await assert.rejects(owner.git.init('link', 'main'), /it is already a repository/)
    asOwner(bench.alice, 'bash', '-c', "git init -q $'\\xff' && ln -s $'\\xff' bytes")
    await assert.rejects(owner.git.status('bytes', author), /folder names in UTF-8/)
  })
})
