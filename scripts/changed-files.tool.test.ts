import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { readChangedTree } from './changed-files.ts'

const hour = 3600
const lastAt = 2_000_000_000

describe('the files that changed since the base', () => {
  let folder: string
  let root: string
  const git = (cwd: string, at: number, ...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, GIT_AUTHOR_DATE: `@${at} +0000`, GIT_COMMITTER_DATE: `@${at} +0000` },
    })
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'changed-files-'))
    root = join(folder, 'origin')
    git(folder, 0, 'init', '--quiet', root)
    for (const [name, hours] of Object.entries({ old: 30, recent: 11, 'new name': 0 })) {
      writeFileSync(join(root, name), name)
      git(root, 0, 'add', '.')
      git(root, lastAt - hours * hour, 'commit', '--quiet', '--message', name)
    }
  })
  after(() => rmSync(folder, { recursive: true }))

  it('are those of the last twelve hours, of HOSTREEVE_CI_HOURS, or since HOSTREEVE_CI_BASE', () => {
    const { files, committedAt } = readChangedTree(root, {})
    assert.deepEqual([files, committedAt], [['new name', 'recent'], lastAt])
    assert.deepEqual(readChangedTree(root, { HOSTREEVE_CI_HOURS: '5' }).files, ['new name'])
    assert.deepEqual(readChangedTree(root, { HOSTREEVE_CI_BASE: 'HEAD~2' }).files, ['new name', 'recent'])
  })

  it('are those since the published commit that .ci/base names, if it is an ancestor', () => {
    const published = git(root, 0, 'rev-parse', 'HEAD~2').trim()
    const commitBase = (text: string) => {
      mkdirSync(join(root, '.ci'), { recursive: true })
      writeFileSync(join(root, '.ci/base'), text)
      git(root, 0, 'add', '.')
      git(root, lastAt, 'commit', '--quiet', '--message', 'base')
    }
    commitBase(`${published}\n`)
    assert.deepEqual(readChangedTree(root, {}).files, ['.ci/base', 'new name', 'recent'])
    assert.deepEqual(readChangedTree(root, { HOSTREEVE_CI_HOURS: '5' }).files, ['.ci/base', 'new name'])
    for (const text of ['0123456789012345678901234567890123456789', '--all', '']) {
      commitBase(text)
      assert.deepEqual(readChangedTree(root, {}).files, ['.ci/base', 'new name', 'recent'], text)
    }
    git(root, lastAt, 'reset', '--quiet', '--hard', 'HEAD~4')
  })

  it('have the lock only if a package of it is another one, or gone', () => {
    const commitLock = (packages: object) => {
      writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }))
      git(root, 0, 'add', '.')
      git(root, lastAt, 'commit', '--quiet', '--message', 'lock')
    }
    const filesSince = (base: string) => readChangedTree(root, { HOSTREEVE_CI_BASE: base }).files
    const a = { version: '1.0.0', integrity: 'sha512-a' }
    commitLock({ '': { name: 'panel' }, 'node_modules/a': a })
    assert.deepEqual(filesSince('HEAD~1'), ['package-lock.json'])
    commitLock({
      '': { name: 'panel', dependencies: { b: '1.0.0' } },
      'node_modules/a': a,
      'node_modules/b': a,
    })
    assert.deepEqual(filesSince('HEAD~1'), [])
    commitLock({ '': {}, 'node_modules/a': { ...a, integrity: 'sha512-b' }, 'node_modules/b': a })
    assert.deepEqual(filesSince('HEAD~1'), ['package-lock.json'])
    commitLock({ '': {}, 'node_modules/b': a })
    assert.deepEqual(filesSince('HEAD~1'), ['package-lock.json'])
    git(root, lastAt, 'reset', '--quiet', '--hard', 'HEAD~4')
  })

  it('are unknown without a commit that is old enough, without a known base, and in a shallow clone', () => {
    assert.equal(readChangedTree(root, { HOSTREEVE_CI_HOURS: '50' }).files, undefined)
    assert.equal(readChangedTree(root, { HOSTREEVE_CI_BASE: 'no-such-commit' }).files, undefined)
    git(folder, 0, 'clone', '--quiet', '--depth=1', `file://${root}`, 'shallow')
    assert.equal(readChangedTree(join(folder, 'shallow'), {}).files, undefined)
    assert.equal(readChangedTree(folder, {}).files, undefined)
  })
})
