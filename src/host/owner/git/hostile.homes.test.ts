import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Problem } from '../../../core/problem.ts'
import type { Owner } from '../owner.ts'
import { asOwner, type Bench, makeBench, skip } from '../testing/homes.ts'
import { RepositoryRefused } from './problems.ts'

const author = { name: 'Ann', email: 'ann@example.com' }

describe('a hostile repository', { skip }, () => {
  let [bench, owner, count] = [{} as Bench, {} as Owner, 0]
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
  const owned = (path: string, content: string, mode = 0o644) => {
    asOwner(bench.alice, 'mkdir', '-p', path.split('/').slice(0, -1).join('/') || '.')
    asOwner(bench.alice, 'touch', path)
    writeFileSync(at(path), content)
    chmodSync(at(path), mode)
  }
  /** A program that leaves a file behind where it is run; in the home, which is all that it could write to. */
  const trap = () => {
    owned('trap', `#!/bin/sh\ntouch ${at('sprung')}\ncat\n`, 0o755)
    return at('trap')
  }
  /** Everything that the panel does without another host. What is refused does not matter, as long as nothing runs. */
  const doAll = async (path = 'r') => {
    const outcomes: unknown[] = []
    const attempt = async (work: () => Promise<unknown>) => {
      outcomes.push(
        await work().then(
          () => 'done',
          (error: unknown) => error,
        ),
      )
    }
    await attempt(() => owner.git.status(path, author))
    await attempt(() => owner.git.diff(path, { context: 3 }))
    await attempt(() => owner.git.diff(path, { context: 3, staged: true }))
    await attempt(() => owner.git.log(path, {}))
    await attempt(() => owner.git.show(path, 'HEAD'))
    writeFileSync(at(path, 'a.txt'), `${++count}\n`)
    await attempt(() => owner.git.commit(path, { message: 'x', what: 'all' }, {}, author))
    await attempt(() => owner.git.revert(path, 'HEAD', author))
    writeFileSync(at(path, 'a.txt'), `${++count}\n`)
    await attempt(() => owner.git.discard(path, 'all'))
    await attempt(() => owner.git.init(path, 'main'))
    return outcomes
  }
  const hasSprung = () => existsSync(at('sprung'))

  before(() => {
    bench = makeBench()
    owner = bench.owners.of(bench.alice)
  })
  after(() => bench.remove())
  beforeEach(() => {
    rmSync(at('r'), { recursive: true, force: true })
    rmSync(at('sprung'), { force: true })
    git('init', '-q', '-b', 'main', 'r')
    owned('r/a.txt', 'a\n')
    git('-C', 'r', 'add', '-A')
    git('-C', 'r', 'commit', '-q', '-m', 'First')
  })

  it('runs none of its hooks', async () => {
    for (const name of [
      'pre-commit',
      'prepare-commit-msg',
      'commit-msg',
      'post-commit',
      'post-checkout',
      'post-merge',
      'reference-transaction',
      'post-index-change',
      'fsmonitor-watchman',
      'post-rewrite',
    ])
      owned(`r/.git/hooks/${name}`, readFileSync(trap(), 'utf8'), 0o755)
    const outcomes = await doAll()
    assert.deepEqual(outcomes.slice(0, 8), Array(8).fill('done'))
    assert.equal(hasSprung(), false)
    git('-C', 'r', '-c', 'core.fsmonitor=false', 'commit', '-q', '--allow-empty', '-m', 'x')
    assert.equal(hasSprung(), true, 'the trap does not work')
  })

  it('starts no program of its configuration that the panel overrides', async () => {
    for (const key of [
      'core.fsmonitor',
      'core.hooksPath',
      'core.editor',
      'core.pager',
      'core.sshCommand',
      'core.askPass',
      'credential.helper',
      'gpg.program',
      'sequence.editor',
    ])
      git('-C', 'r', 'config', key, trap())
    git('-C', 'r', 'config', 'commit.gpgSign', 'true')
    git('-C', 'r', 'config', 'log.showSignature', 'true')
    assert.deepEqual((await doAll()).slice(0, 8), Array(8).fill('done'))
    assert.equal(hasSprung(), false)
  })

  for (const [key, value] of [
    ['filter.x.clean', 'TRAP'],
    ['filter.x.smudge', 'TRAP'],
    ['filter.x.process', 'TRAP'],
    ['diff.x.command', 'TRAP'],
    ['diff.x.textconv', 'TRAP'],
    ['diff.external', 'TRAP'],
    ['merge.x.driver', 'TRAP'],
    ['include.path', '/etc/passwd'],
    ['includeIf.gitdir:/.path', '../evil'],
    ['url.ext::sh -c TRAP.insteadOf', 'https://'],
    ['remote.origin.vcs', 'ext'],
    ['remote.origin.uploadpack', 'TRAP'],
    ['remote.origin.receivepack', 'TRAP'],
    ['remote.origin.proxy', 'http://127.0.0.1:1'],
    ['remote.origin.promisor', 'true'],
    ['http.proxy', 'http://127.0.0.1:1'],
    ['http.https://example.com/.proxy', 'http://127.0.0.1:1'],
    ['http.sslVerify', 'false'],
    ['http.extraHeader', 'X: y'],
    ['http.cookieFile', '/etc/passwd'],
    ['credential.https://example.com.helper', 'TRAP'],
    ['core.worktree', '/etc'],
    ['core.gitProxy', 'TRAP'],
    ['core.alternateRefsCommand', 'TRAP'],
    ['protocol.ext.allow', 'always'],
    ['extensions.partialClone', 'origin'],
    ['gpg.ssh.defaultKeyCommand', 'TRAP'],
    ['branch.main.mergeOptions', '--strategy=x'],
    ['trailer.x.command', 'TRAP'],
    ['uploadpack.packObjectsHook', 'TRAP'],
    ['safe.directory', '*'],
    ['something.new', 'x'],
  ] as const) {
    it(`is refused for ${key}, which is named`, async () => {
      owned('r/.gitattributes', '* filter=x diff=x merge=x\n')
      git('-C', 'r', 'config', key.replace('TRAP', trap()), value.replace('TRAP', trap()))
      rmSync(at('sprung'), { force: true })
      const some = [
        () => owner.git.status('r', author),
        () => owner.git.commit('r', { message: 'x', what: 'all' }, {}, author),
        () => owner.git.init('r', 'main'),
      ]
      for (const work of some) {
        const outcome: unknown = await work().then(
          () => 'done',
          (error: unknown) => error,
        )
        assert.ok(outcome instanceof Problem && outcome.kind === RepositoryRefused, String(outcome))
        const shown = key.split('.').at(-1)?.toLowerCase() ?? ''
        assert.ok(String(outcome.fields['key'] ?? outcome.message).includes(shown), outcome.message)
      }
      assert.equal(hasSprung(), false)
    })
  }

  it('is refused for a key of its worktree’s own configuration', async () => {
    git('-C', 'r', 'config', 'extensions.worktreeConfig', 'true')
    git('-C', 'r', 'config', '--worktree', 'filter.x.clean', trap())
    await assert.rejects(owner.git.status('r', author), /filter\.x\.clean/)
    assert.equal(hasSprung(), false)
  })

  it('does not make git run in its submodules', async () => {
    git('init', '-q', '-b', 'main', 'sub')
    owned('sub/s.txt', 's')
    git('-C', 'sub', 'add', '-A')
    git('-C', 'sub', 'commit', '-q', '-m', 'Sub')
    git('-C', 'r', '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', at('sub'), 'sub')
    git('-C', 'r', 'commit', '-q', '-m', 'With a submodule')
    for (const key of ['core.fsmonitor', 'filter.x.clean', 'filter.x.process'])
      git('-C', 'r/sub', 'config', key, trap())
    owned('r/.git/modules/sub/info/attributes', '* filter=x\n')
    writeFileSync(at('r/sub/s.txt'), 'changed')
    const outcomes = await doAll()
    assert.deepEqual(outcomes.slice(0, 8), Array(8).fill('done'))
    assert.equal(hasSprung(), false)
    git('-C', 'r', 'status')
    assert.equal(hasSprung(), true, 'the trap does not work')
    await assert.rejects(
      owner.git.status('r/sub', author),
      (error) => error instanceof Problem && error.kind === RepositoryRefused,
    )
    rmSync(at('sub'), { recursive: true })
  })

  it('is not found as a bare repository inside a folder', async () => {
    git('init', '-q', '--bare', 'r/inner')
    git('-C', 'r/inner', 'config', 'core.fsmonitor', trap())
    git('-C', 'r/inner', 'config', 'core.worktree', at('r'))
    const state = await owner.git.status('r/inner', author).then(
      (found) => found?.root ?? 'none',
      (error: unknown) => error,
    )
    assert.ok(
      state === 'none' || state === 'r' || (state instanceof Problem && state.kind === RepositoryRefused),
      String(state),
    )
    assert.equal(hasSprung(), false)
  })

  it('leads nowhere through its links: nothing outside the home is visible', async () => {
    asOwner(bench.bob, 'env', 'HOME=/nonexistent', 'git', 'init', '-q', '-b', 'main', 'secret')
    writeFileSync(join(bench.bob.home, 'secret', 's.txt'), 'of bob')
    mkdirSync(at('linked'))
    symlinkSync(join(bench.bob.home, 'secret/.git'), at('linked/.git'))
    assert.equal(await owner.git.status('linked', author), undefined)
    rmSync(at('linked/.git'))
    writeFileSync(at('linked/.git'), `gitdir: ${join(bench.bob.home, 'secret/.git')}\n`)
    await assert.rejects(
      owner.git.status('linked', author),
      isRefused(/the repository that it refers to does not exist/),
    )
    symlinkSync(join(bench.bob.home, 'secret'), at('there'))
    await assert.rejects(owner.git.status('there', author), Problem)
    owned('r/.git/objects/info/alternates', `${join(bench.bob.home, 'secret/.git/objects')}\n`)
    assert.equal((await owner.git.log('r', {})).total, 1)
  })

  it('is truncated if huge, and does not fill the memory of the panel', async () => {
    const line = `${'x'.repeat(99)}\n`
    writeFileSync(at('r/a.txt'), line.repeat(60_000))
    const { patch, isCut } = await owner.git.diff('r', { context: 3 })
    assert.deepEqual([patch.length <= 1024 * 1024, isCut], [true, true])
    asOwner(bench.alice, 'bash', '-c', 'mkdir r/many && touch r/many/{00001..06000}')
    const { files, isCut: isListCut } = (await owner.git.status('r', author)) ?? { files: [] }
    assert.deepEqual([files.length, isListCut], [6001, false])
  })

  it('with names of any bytes is committed and shown', async () => {
    asOwner(bench.alice, 'bash', '-c', "echo odd > $'r/\\xff\\n -x'")
    const { files } = (await owner.git.status('r', author)) ?? { files: [] }
    assert.deepEqual(
      files.map(({ path }) => path),
      ['\udcff\n -x'],
    )
    await owner.git.commit('r', { message: 'Odd', what: ['\udcff\n -x'] }, {}, author)
    assert.deepEqual(
      (await owner.git.show('r', 'HEAD')).files.map(({ path, state }) => [path, state]),
      [['\udcff\n -x', 'added']],
    )
  })

  it('with a message of control characters and strange times is listed', async () => {
    const env = [
      'env',
      '-i',
      'PATH=/usr/bin',
      'GIT_AUTHOR_NAME=\u001b[31mred',
      'GIT_AUTHOR_EMAIL=e',
      'GIT_COMMITTER_NAME=c',
      'GIT_COMMITTER_EMAIL=e',
      'GIT_AUTHOR_DATE=@99999999999 +0000',
    ]
    asOwner(
      bench.alice,
      ...env,
      'git',
      '-C',
      'r',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'one \u001b]0;x\u0007',
    )
    const [first] = (await owner.git.log('r', {})).items
    assert.ok(first && !/\p{Cc}/u.test(first.authorName + first.subject))
    assert.match(first.authoredAt, /^\d{4}-/)
  })
})

const isRefused = (message: RegExp) => (error: unknown) =>
  error instanceof Problem && error.kind === RepositoryRefused && message.test(error.message)
