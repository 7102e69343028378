import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { after, before, beforeEach, describe, it } from 'node:test'
import { aliceUid, type FilesBench, openFilesBench } from '../testing/files-bench.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids'

describe('a repository in an unusual state', { skip, timeout: 300_000 }, () => {
  let bench: FilesBench
  before(async () => {
    bench = await openFilesBench()
  })
  after(() => bench.remove())
  beforeEach(() => {
    for (const folder of ['site', 'other']) rmSync(bench.at(folder), { recursive: true, force: true })
    bash(
      'git init -q -b main',
      'echo a > a',
      'mkdir d',
      'echo x > d/x',
      'git add -A',
      'git commit -qm First',
      'echo b >> a',
      'git commit -qam Second',
    )
  })
  /** Runs commands in the repository, as its owner. */
  const bash = (...lines: string[]) => {
    const env = {
      PATH: '/usr/bin:/bin',
      HOME: bench.at(),
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@x',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@x',
    }
    const script = ['mkdir -p site', 'cd site', ...lines].join('\n')
    const who = [`--reuid=${aliceUid}`, `--regid=${aliceUid}`, '--clear-groups']
    return execFileSync('setpriv', [...who, 'bash', '-ec', script], {
      cwd: bench.at(),
      encoding: 'utf8',
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  }
  const get = (verb: string, query: Readonly<Record<string, string>> = {}) =>
    bench.get(verb, { path: 'site', ...query })
  const post = (verb: string, body: object) => bench.post(`vcs/${verb}`, { path: 'site', ...body })
  const refused = async (
    asked: ReturnType<FilesBench['get']>,
  ): Promise<readonly [number, string, string]> => {
    const { status, error } = await asked
    return [status, error?.code ?? '', error?.message ?? '']
  }
  const operation = async () => (await get('vcs')).data.operation
  const conflicting =
    'git checkout -qb theirs HEAD~; echo c >> a; git commit -qam Theirs; git checkout -q main'

  it('reports a commit without changes or one that was already reverted', async () => {
    assert.equal((await post('revert', { commit: 'HEAD' })).status, 200)
    const again = await refused(post('revert', { commit: 'HEAD~1' }))
    assert.deepEqual(again.slice(0, 2), [409, 'nothing_to_commit'])
    assert.match(again[2], /^commit: HEAD~1: it changes nothing, or was already reverted/)
    bash('echo new > untracked', 'git commit -q --allow-empty -m Empty')
    assert.deepEqual((await refused(post('revert', { commit: 'HEAD' }))).slice(0, 2), [
      409,
      'nothing_to_commit',
    ])
    assert.equal(await operation(), 'none')
  })

  it('fails with the message of git if the last commit is damaged, and not as an empty repository', async () => {
    bash('rm -f .git/objects/$(git rev-parse HEAD | sed s,^..,\\&/,)')
    for (const asked of [
      get('vcs'),
      get('vcs/log'),
      get('vcs/show', { commit: 'HEAD' }),
      get('vcs/diff'),
      post('commit', { message: 'x', all: true }),
    ])
      assert.deepEqual((await refused(asked)).slice(0, 2), [500, 'vcs_failed'])
    assert.match((await refused(get('vcs/log')))[2], /^path: site: .*bad object/)
    bash('printf "" > .git/refs/heads/main')
    for (const verb of ['vcs', 'vcs/log'])
      assert.match((await refused(get(verb)))[2], /^path: site: your current branch appears to be broken/)
  })

  it('lists staged files and no commits before its first commit', async () => {
    bash('git checkout -q --orphan fresh')
    const { data } = await get('vcs/log')
    assert.deepEqual([data.items, data.total], [[], 0])
    assert.deepEqual(
      (await get('vcs/diff')).data.files.map(({ path }: { path: string }) => path),
      ['site/a', 'site/d/x'],
    )
    assert.match(
      (await refused(get('vcs/show', { commit: 'HEAD' })))[2],
      /^commit: HEAD: the repository has no such commit/,
    )
  })

  it('is named by the field and the path in the home', async () => {
    bash('mkdir sub')
    for (const [asked, message] of [
      [get('vcs/log', { ref: 'HEAD~50' }), 'ref: HEAD~50: the repository has no such commit'],
      [get('vcs/diff', { from: 'HEAD', to: 'nope' }), 'to: nope: the repository has no such commit'],
      [post('commit', { path: 'site/sub', message: 'x' }), 'path: site: nothing is staged'],
      [post('commit', { message: 'x', paths: ['site/nope'] }), 'paths: site/nope: nothing changed there'],
      [
        post('commit', { message: 'x', paths_b64: ['c2l0ZS//'] }),
        'paths_b64: site/\ufffd: nothing changed there',
      ],
      [post('remote', { action: 'remove', name: 'up' }), 'name: up: the repository has no such remote'],
      [post('pull', { remote: 'up' }), 'remote: up: the repository has no such remote'],
    ] as const)
      assert.equal((await refused(asked))[2].replace(/\. Nothing was changed\.$|\.$/, ''), message)
    bash(conflicting, 'git merge theirs || true')
    assert.match(
      (await refused(post('commit', { message: 'x', all: true })))[2],
      /^paths: site\/a: it has conflicts/,
    )
    assert.match(
      (await refused(post('revert', { commit: 'HEAD' })))[2],
      /^path: site: a merge is in progress here: commit its result, or/,
    )
  })

  it('names the files that prevent a revert', async () => {
    bash('echo c > a', 'git commit -qam Third')
    assert.match(
      (await refused(post('revert', { commit: 'HEAD~1' })))[2],
      /^commit: HEAD~1: it cannot be reverted, .*: site\/a/,
    )
    bash('echo d > a')
    assert.match(
      (await refused(post('revert', { commit: 'HEAD' })))[2],
      /^commit: HEAD: it cannot be reverted: .* by merge: site\/a/,
    )
  })

  it('reports a rebase, cherry-pick, patch series or bisection in progress, and how to end it', async () => {
    bash('GIT_SEQUENCE_EDITOR="sed -i 1ibreak" git rebase -q -i HEAD~1')
    assert.equal(await operation(), 'rebase')
    assert.match(
      (await refused(post('revert', { commit: 'HEAD' })))[2],
      /a rebase is in progress here: .* git rebase --continue or --abort/,
    )
    bash(
      'git rebase --abort',
      conflicting,
      'git checkout -q theirs; echo p > p; git add p; git commit -qm P; git checkout -q main',
      'git cherry-pick theirs~ theirs || true',
    )
    bash('echo picked > a')
    assert.equal((await post('commit', { message: 'Picked', paths: ['site/a'] })).status, 200)
    assert.equal(await operation(), 'cherry_pick')
    assert.equal((await post('revert', { all: true })).status, 200)
    assert.equal(await operation(), 'none')
    bash('git format-patch -q -1 theirs~ -o ../other', 'git am -q ../other/* || true')
    assert.equal(await operation(), 'am')
    bash('git am --abort', 'git bisect start -q HEAD HEAD~2')
    assert.equal(await operation(), 'bisect')
  })

  it('commits only the named paths during a bisection, and no other staged files', async () => {
    bash('git bisect start -q HEAD HEAD~1', 'echo s > staged', 'git add staged', 'echo n > named')
    assert.equal((await post('commit', { message: 'Named', paths: ['site/named'] })).data.files, 1)
    assert.equal(bash('git status --porcelain'), 'A  staged')
  })

  it('is not reported as a plain folder if it is a working tree whose repository was deleted', async () => {
    bash('git worktree add -q ../other', 'rm -rf .git')
    const [code, error, message] = await refused(bench.get('vcs', { path: 'other' }))
    assert.deepEqual([code, error], [409, 'repository_refused'])
    assert.match(
      message,
      /^path: other: the repository that it refers to does not exist: .*site\/\.git\/worktrees\/other/,
    )
  })

  it('prefers a branch to a tag of the same name', async () => {
    bash('git tag main HEAD~', 'git tag only HEAD~')
    for (const [ref, total] of [
      ['main', 2],
      ['main~1', 1],
      ['only', 1],
      ['tags/main', 1],
    ] as const)
      assert.equal((await get('vcs/log', { ref })).data.total, total, ref)
  })

  it('reports the number of files that a merge changes, and the same subject as the list', async () => {
    bash(
      conflicting,
      'echo d >> a',
      'git commit -qam Ours',
      'git merge theirs || true',
      'git checkout -q --ours a',
      'git add a',
    )
    const { files, subject } = (await post('commit', { message: '\n# Join\nthem\n \nbody', all: true })).data
    assert.deepEqual(
      [files, subject, (await get('vcs/log')).data.items[0].subject],
      [0, '# Join them', '# Join them'],
    )
  })

  it('is on no branch if HEAD points to something other than a branch', async () => {
    bash('git update-ref refs/remotes/origin/main HEAD', 'git symbolic-ref HEAD refs/remotes/origin/main')
    const { branch, head } = (await get('vcs')).data
    assert.deepEqual([branch, head], [null, bash('git rev-parse HEAD')])
  })

  it('is read the same regardless of its display settings', async () => {
    const settings = [
      'diff.orderFile /nope',
      'diff.noprefix true',
      'diff.relative true',
      'diff.renames false',
      'status.showUntrackedFiles no',
    ]
    bash(...settings.map((one) => `git config ${one}`), 'echo n >> a', 'mkdir sub', 'echo s > sub/s')
    assert.deepEqual(
      (await get('vcs')).data.files.map(({ path }: { path: string }) => path),
      ['site/a', 'site/sub/s'],
    )
    assert.match((await get('vcs/diff', { path: 'site/sub' })).data.patch, /^diff --git a\/a b\/a\n/)
    assert.equal((await post('commit', { message: 'x', all: true })).data.files, 2)
  })

  it('names the field of an author that git rejects', async () => {
    bash('echo n > a')
    assert.match(
      (await refused(post('commit', { message: 'x', all: true, author_name: '<>' })))[2],
      /^author_name: /,
    )
  })

  it('reports a nested repository that is to be committed', async () => {
    bash('git init -q inner', 'echo i > inner/i')
    for (const path of ['site/inner', 'site/inner/i'])
      assert.match(
        (await refused(post('commit', { message: 'x', paths: [path] })))[2],
        new RegExp(`^paths: ${path}: it is a nested repository, or inside one`),
      )
  })

  it('discards nothing if a lock file prevents discarding the rest', async () => {
    bash('echo n > new', 'echo changed > a', 'touch .git/index.lock')
    const [code, error, message] = await refused(post('revert', { all: true }))
    assert.deepEqual([code, error, existsSync(bench.at('site/new'))], [409, 'conflict', true])
    assert.match(message, /^path: site: another git process .* remove site\/\.git\/index\.lock/)
    assert.equal((await bench.post('delete', { paths: ['site/.git/index.lock'] })).status, 200)
    assert.equal((await post('revert', { all: true })).data.trashed, 1)
    assert.equal(readFileSync(bench.at('site/a'), 'utf8'), 'a\nb\n')
  })

  it('distinguishes two names that differ only in case, even if another system made the repository', async () => {
    bash('git config core.ignorecase true', 'mv a A')
    assert.equal((await post('commit', { message: 'Case', all: true })).data.files, 2)
    assert.equal(bash('git ls-files A a'), 'A')
  })

  it('does not recommend removing a setting that the repository needs', async () => {
    bash('git config extensions.partialClone origin', 'git config core.repositoryformatversion 1')
    assert.doesNotMatch((await refused(get('vcs')))[2], /unset/)
  })
})
