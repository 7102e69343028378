import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Problem } from '../../../core/problem.ts'
import type { Owner } from '../owner.ts'
import { asOwner, type Bench, makeBench, skip } from '../testing/homes.ts'
import { InTheWay, NothingToDo } from './problems.ts'

const author = { name: 'Ann', email: 'ann@example.com' }

describe('the files of a working tree', { skip, timeout: 300_000 }, () => {
  let [bench, owner] = [{} as Bench, {} as Owner]
  const at = (...parts: string[]) => join(bench.alice.home, ...parts)
  const read = (path: string) => readFileSync(at('r', path), 'utf8')
  /** Runs lines of bash in the repository, as the owner. */
  const sh = (...lines: string[]) =>
    asOwner(
      bench.alice,
      'env',
      '-i',
      'PATH=/usr/bin:/bin',
      `HOME=${at()}`,
      'bash',
      '-ec',
      ['cd r', ...lines].join('\n'),
    ).trimEnd()
  const trashed = async () => (await owner.trash.list()).items.map(({ path }) => path).sort()
  const states = async () =>
    ((await owner.git.status('r', author))?.files ?? []).map(
      ({ path, staged, unstaged }) => `${path} ${staged} ${unstaged}`,
    )

  before(() => {
    bench = makeBench()
    owner = bench.owners.of(bench.alice)
  })
  after(() => bench.remove())
  beforeEach(async () => {
    await owner.trash.empty()
    rmSync(at('r'), { recursive: true, force: true })
    asOwner(bench.alice, 'mkdir', 'r')
    sh('git init -q -b main', 'git config user.name A', 'git config user.email a@x')
    sh(
      'mkdir d',
      'echo a > a',
      'echo x > d/x',
      'echo "*.log" > .gitignore',
      'git add -A',
      'git commit -qm First',
    )
  })

  it('go to the trash if a discarded change restores a file at their path', async () => {
    sh('rm a', 'mkdir a', 'echo precious > a/x.log', 'git init -q a/inner', 'rm -r d', 'echo precious > d')
    assert.deepEqual(await owner.git.discard('r', ['a', 'd/x']), { commit: null, discarded: 2, trashed: 2 })
    assert.deepEqual([read('a'), read('d/x'), await trashed()], ['a\n', 'x\n', ['r/a', 'r/d']])
  })

  it('go to the trash if they are in the way of a parent folder, and a link is not followed', async () => {
    sh('mkdir e', 'echo y > e/x', 'git add -A', 'git commit -qm Second', 'rm -r d', 'ln -s e d')
    await owner.git.discard('r', ['d/x'])
    assert.deepEqual([read('d/x'), read('e/x'), await trashed(), await states()], ['x\n', 'y\n', ['r/d'], []])
  })

  it('are as committed again where they conflicted; what only the other side has goes to the trash, and the merge is over', async () => {
    sh(
      'git checkout -qb other',
      'echo o > a',
      'echo o > d/x',
      'git commit -qam Other',
      'git checkout -q main',
    )
    sh('echo m > a', 'git rm -q d/x', 'git commit -qam Mine', 'git merge other || true', 'echo edited >> d/x')
    assert.deepEqual(await owner.git.discard('r', 'all'), { commit: null, discarded: 1, trashed: 1 })
    assert.deepEqual(
      [read('a'), existsSync(at('r/d/x')), await trashed(), await states()],
      ['m\n', false, ['r/d/x'], []],
    )
    assert.equal((await owner.git.status('r', author))?.operation, 'none')
  })

  it('are discarded whatever the index says: staged, renamed, announced, removed, or before the first commit', async () => {
    sh(
      'git mv a b',
      'echo more >> b',
      'echo n > n',
      'git add n',
      'rm n',
      'echo i > i',
      'git add -N i',
      'git rm -q --cached d/x',
      'echo mine > d/x',
    )
    await owner.git.discard('r', 'all')
    assert.deepEqual(
      [read('a'), read('d/x'), await states(), await trashed()],
      ['a\n', 'x\n', [], ['r/b', 'r/d/x', 'r/i']],
    )
    sh('git checkout -q --orphan fresh', 'git reset -q', 'git add a')
    await owner.git.discard('r', ['a'])
    assert.deepEqual([existsSync(at('r/a')), (await trashed()).includes('r/a')], [false, true])
  })

  it('of a nested repository are left alone, and that is reported', async () => {
    sh('git init -q inner', 'echo i > inner/i')
    await assert.rejects(
      owner.git.discard('r', 'all'),
      (error) => error instanceof Problem && error.kind === NothingToDo,
    )
    assert.equal(read('inner/i'), 'i\n')
  })

  it('are not overwritten by a revert, though they are ignored', async () => {
    sh(
      'echo was > keys',
      'git add keys',
      'git commit -qm Keys',
      'git rm -q keys',
      'echo keys >> .gitignore',
      'git commit -qam Ignored',
    )
    sh('echo precious > keys')
    await assert.rejects(
      owner.git.revert('r', 'HEAD', author),
      (error) => error instanceof Problem && error.kind === InTheWay && /keys/.test(error.message),
    )
    assert.deepEqual([read('keys'), await states()], ['precious\n', []])
    sh('mv keys elsewhere.log')
    await owner.git.revert('r', 'HEAD', author)
    assert.equal(read('keys'), 'was\n')
  })

  it('are committed if a link replaced their folder', async () => {
    sh('mkdir e', 'echo y > e/x', 'git add -A', 'git commit -qm Second', 'rm -r d', 'ln -s e d')
    await owner.git.commit('r', { message: 'Link', what: ['d'] }, {}, author)
    assert.deepEqual([await states(), sh('git ls-files -s d').slice(0, 6)], [[], '120000'])
    sh('git reset -q --hard HEAD~1', 'rm -r d', 'ln -s e d')
    await owner.git.commit('r', { message: 'Link', what: 'all' }, {}, author)
    assert.deepEqual(await states(), [])
  })

  it('keep the operation in progress if a commit cannot be reverted', async () => {
    sh(
      'for n in 1 2 3; do echo $n > f; git add f; git commit -qm $n; done',
      'git checkout -q -b other HEAD~3',
      'echo z > f',
      'git add f',
    )
    sh(
      'git commit -qm z',
      'git cherry-pick main~2 main~1 main || true',
      'echo done > f',
      'git add f',
      'git commit -qm done',
    )
    sh('git rm -q a', 'git commit -qm Gone', 'echo mine > a')
    await assert.rejects(owner.git.revert('r', 'HEAD', author), Problem)
    assert.deepEqual([existsSync(at('r/.git/sequencer/todo')), read('a')], [true, 'mine\n'])
  })
})
