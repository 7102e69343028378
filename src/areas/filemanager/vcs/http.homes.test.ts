import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type GitHttp, serveGit } from '../../../../test/support/git-http.ts'
import type { Answer } from '../../../../test/support/panel.ts'
import { type FilesBench, openFilesBench } from '../testing/files-bench.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids'
const user = { name: 'ann', password: 'a-very-secret-token' }

describe('a repository on an http server', { skip, timeout: 300_000 }, () => {
  let [bench, server, root] = [{} as FilesBench, {} as GitHttp, '']
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      env: {
        PATH: '/usr/bin',
        HOME: root,
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
        GIT_AUTHOR_NAME: 'S',
        GIT_AUTHOR_EMAIL: 's@x',
        GIT_COMMITTER_NAME: 'S',
        GIT_COMMITTER_EMAIL: 's@x',
      },
    })
  /** Commits directly in the server's repository, without http. */
  const commitThere = (repository: string, path: string, content: string) => {
    const blob = execFileSync('git', ['-C', repository, 'hash-object', '-w', '--stdin'], {
      cwd: root,
      input: content,
      encoding: 'utf8',
    }).trim()
    const index = join(root, 'index')
    const env = {
      PATH: '/usr/bin',
      GIT_INDEX_FILE: index,
      GIT_AUTHOR_NAME: 'S',
      GIT_AUTHOR_EMAIL: 's@x',
      GIT_COMMITTER_NAME: 'S',
      GIT_COMMITTER_EMAIL: 's@x',
    }
    const run = (...args: string[]) =>
      execFileSync('git', ['-C', repository, ...args], { cwd: root, encoding: 'utf8', env }).trim()
    run('read-tree', 'main')
    run('update-index', '--add', '--cacheinfo', `100644,${blob},${path}`)
    run(
      'update-ref',
      'refs/heads/main',
      run('commit-tree', run('write-tree'), '-p', 'main', '-m', `Change ${path}`),
    )
  }
  /** Runs git in the clone, as its owner. */
  const asAlice = (...args: string[]) =>
    execFileSync('git', args, {
      env: { PATH: '/usr/bin', HOME: '/nonexistent' },
      cwd: bench.at('copy'),
      uid: 61_021,
      gid: 61_021,
    })
  const ask = (verb: string, body: object, as = bench.panel.admin): Promise<Answer> =>
    bench.panel.request('POST', `/api/filemanager/vcs/${verb}`, {
      as,
      body: { username: 'alice', path: 'copy', ...body },
    })
  /** Runs the job of a call to its end; returns its state and output. */
  const job = async (verb: string, body: object = {}, as = bench.panel.admin) => {
    const { status, data, error } = await ask(verb, body, as)
    assert.equal(status, 202, error?.message)
    const { text } = await bench.panel.request('GET', `/api/jobs/${data.job_id}/events`, { as })
    const { data: row } = await bench.panel.request('GET', `/api/jobs/${data.job_id}`, { as })
    return { state: row.state, error: row.error as string | null, result: row.result, text, id: data.job_id }
  }
  const status = async () => (await bench.get('vcs', { path: 'copy' })).data
  const url = (path = 'shop.git') => `http://127.0.0.1:${server.port}/${path}`
  const leftovers = () => readdirSync(bench.at()).filter((name) => name.startsWith('.hostreeve-tmp'))

  before(async () => {
    bench = await openFilesBench()
    root = mkdtempSync(join(tmpdir(), 'vcs-server-'))
    for (const name of ['shop.git', 'private.git']) {
      git('init', '-q', '--bare', '-b', 'main', name)
      const tree =
        git('-C', name, 'mktree', '--missing', '/dev/null').trim() ||
        '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
      git(
        '-C',
        name,
        'update-ref',
        'refs/heads/main',
        git('-C', name, 'commit-tree', tree, '-m', 'Begin').trim(),
      )
      commitThere(name, 'index.html', '<h1>shop</h1>\n')
    }
    server = await serveGit({ root, user })
  })
  after(async () => {
    await server.close()
    await bench.remove()
    rmSync(root, { recursive: true, force: true })
  })
  beforeEach(() => {
    server.intercept = undefined
    rmSync(bench.at('copy'), { recursive: true, force: true })
  })

  it('is cloned as the owner, with progress', async () => {
    const { state, text, error } = await job('clone', { url: url() })
    assert.equal(state, 'succeeded', error ?? '')
    assert.match(text, /Cloning into 'copy'/)
    assert.ok(!text.includes('hostreeve-tmp'), text)
    assert.equal(readFileSync(bench.at('copy/index.html'), 'utf8'), '<h1>shop</h1>\n')
    const { branch, upstream, files, remotes, head } = await status()
    assert.deepEqual([branch, upstream, files, remotes[0].url], ['main', 'origin/main', [], url()])
    assert.equal(head, git('-C', 'shop.git', 'rev-parse', 'main').trim())
    assert.deepEqual(
      [
        execFileSync('stat', ['-c', '%U %u', bench.at('copy/.git')], { encoding: 'utf8' }).includes('61021'),
        leftovers(),
      ],
      [true, []],
    )
  })

  it('is cloned with a depth, on a branch, and into an empty folder', async () => {
    await bench.post('mkdir', { path: 'copy' })
    assert.equal((await job('clone', { url: url(), depth: 1, branch: 'main' })).state, 'succeeded')
    assert.equal((await bench.get('vcs/log', { path: 'copy' })).data.total, 1)
    assert.deepEqual((await ask('clone', { url: url() })).error.code, 'already_exists')
    rmSync(bench.at('copy'), { recursive: true })
    const { state, error } = await job('clone', { url: url(), branch: 'absent' })
    assert.deepEqual(
      [state, /absent/.test(error ?? ''), existsSync(bench.at('copy')), leftovers()],
      ['failed', true, false, []],
    )
  })

  it('is pulled by fast-forward; diverged branches are merged only on request', async () => {
    await job('clone', { url: url() })
    commitThere('shop.git', 'new.html', 'new\n')
    assert.equal((await job('pull')).state, 'succeeded')
    assert.equal(readFileSync(bench.at('copy/new.html'), 'utf8'), 'new\n')
    await bench.post('write', { path: 'copy/mine.html', content: 'mine\n' })
    await bench.post('vcs/commit', { path: 'copy', message: 'Mine', all: true })
    commitThere('shop.git', 'theirs.html', 'theirs\n')
    const apart = await job('pull')
    assert.deepEqual([apart.state, /strategy merge/.test(apart.error ?? '')], ['failed', true])
    const { ahead, behind } = await status()
    assert.deepEqual([ahead, behind], [1, 1])
    assert.equal((await job('pull', { strategy: 'merge' })).state, 'succeeded')
    assert.deepEqual([existsSync(bench.at('copy/theirs.html')), (await status()).ahead], [true, 2])
  })

  it('is not merged if both sides changed the same lines', async () => {
    await job('clone', { url: url() })
    await bench.post('write', { path: 'copy/index.html', content: 'mine\n' })
    const dirty = await job('pull', {})
    assert.equal(dirty.state, 'succeeded')
    commitThere('shop.git', 'index.html', `theirs ${Math.random()}\n`)
    assert.match(
      (await job('pull')).error ?? '',
      /path: copy: commit or discard your changes first: .*merge: copy\/index\.html/,
    )
    await bench.post('vcs/commit', { path: 'copy', message: 'Mine', all: true })
    const { state, error } = await job('pull', { strategy: 'merge' })
    assert.deepEqual(
      [state, /index\.html; the merge was undone/.test(error ?? '')],
      ['failed', true],
      error ?? '',
    )
    const { operation, files } = await status()
    assert.deepEqual(
      [operation, files, readFileSync(bench.at('copy/index.html'), 'utf8')],
      ['none', [], 'mine\n'],
    )
  })

  it('is not pulled over ignored or untracked files, and names them', async () => {
    await job('clone', { url: url() })
    mkdirSync(bench.at('copy/.git/info'), { recursive: true })
    writeFileSync(bench.at('copy/.git/info/exclude'), 'keys\n')
    await bench.post('mkdir', { path: 'copy/keys' })
    for (const path of ['keys/live', 'plain.txt'])
      await bench.post('write', { path: `copy/${path}`, content: 'precious' })
    commitThere('shop.git', 'keys', 'theirs')
    commitThere('shop.git', 'plain.txt', 'theirs')
    for (const strategy of ['ff_only', 'merge'])
      assert.match(
        (await job('pull', { strategy })).error ?? '',
        /path: copy: ignored files .*: copy\/keys\/live; move/,
      )
    rmSync(bench.at('copy/keys'), { recursive: true })
    assert.match(
      (await job('pull')).error ?? '',
      /untracked working tree files would be overwritten by merge: copy\/plain\.txt/,
    )
    assert.equal(readFileSync(bench.at('copy/plain.txt'), 'utf8'), 'precious')
    rmSync(bench.at('copy/plain.txt'))
    assert.equal((await job('pull')).state, 'succeeded')
  })

  it('is pulled while a file removed from the repository remains as an ignored file', async () => {
    commitThere('shop.git', 'local.ini', 'x')
    await job('clone', { url: url() })
    asAlice('rm', '-q', '--cached', 'local.ini')
    await bench.post('write', { path: 'copy/.gitignore', content: 'local.ini\n' })
    await bench.post('vcs/commit', { path: 'copy', message: 'Keep it local', all: true })
    commitThere('shop.git', `other${Math.random()}`, 'x')
    const { state, error } = await job('pull', { strategy: 'merge' })
    assert.deepEqual(
      [state, readFileSync(bench.at('copy/local.ini'), 'utf8')],
      ['succeeded', 'x'],
      error ?? '',
    )
  })

  it('is not pulled over staged changes, and names them', async () => {
    await job('clone', { url: url() })
    await bench.post('write', { path: 'copy/mine.html', content: 'mine\n' })
    await bench.post('vcs/commit', { path: 'copy', message: 'Mine', all: true })
    commitThere('shop.git', 'theirs.html', `${Math.random()}\n`)
    await bench.post('write', { path: 'copy/staged.html', content: 's' })
    asAlice('add', 'staged.html')
    assert.match(
      (await job('pull', { strategy: 'merge' })).error ?? '',
      /^path: copy: commit or discard the staged changes first: copy\/staged\.html$/,
    )
    assert.deepEqual(
      [(await status()).operation, readFileSync(bench.at('copy/staged.html'), 'utf8')],
      ['none', 's'],
    )
  })

  it('is pushed to its own branch even if it tracks another one, regardless of the push.default of git', async () => {
    const credentials = { login: user.name, password: user.password }
    await job('clone', { url: url('private.git'), credentials })
    for (const [key, value] of [
      ['branch.main.remote', '.'],
      ['branch.main.merge', 'refs/heads/local'],
      ['remote.pushDefault', 'elsewhere'],
    ] as const)
      asAlice('config', key, value)
    const { state, result } = await job('push', { set_upstream: false, credentials })
    assert.deepEqual(
      [state, result, git('-C', 'private.git', 'branch').trim()],
      ['succeeded', { remote: 'origin', branch: 'main' }, '* main'],
    )
  })

  it('reports the cause if a branch has no common history, does not exist, or has no commit', async () => {
    await job('clone', { url: url() })
    assert.match(
      (await job('pull', { branch: 'absent' })).error ?? '',
      /^branch: 127\.0\.0\.1:\d+: couldn't find remote ref refs\/heads\/absent/,
    )
    const kept = git('-C', 'shop.git', 'rev-parse', 'main').trim()
    const tree = git('-C', 'shop.git', 'rev-parse', 'main^{tree}').trim()
    git(
      '-C',
      'shop.git',
      'update-ref',
      'refs/heads/main',
      git('-C', 'shop.git', 'commit-tree', tree, '-m', 'Anew').trim(),
    )
    for (const strategy of ['ff_only', 'merge'])
      assert.match((await job('pull', { strategy })).error ?? '', /no commit in common/)
    git('-C', 'shop.git', 'update-ref', 'refs/heads/main', kept)
    rmSync(bench.at('copy'), { recursive: true })
    await bench.post('vcs/init', { path: 'copy', branch: 'é/ü' })
    await bench.post('vcs/remote', { path: 'copy', action: 'add', name: 'origin', url: url() })
    assert.match((await job('push')).error ?? '', /no commit to push/)
  })

  it('leaves nothing in the repository after an interrupted pull', async () => {
    await job('clone', { url: url() })
    const files = Array.from(
      { length: 150 },
      (_, at) => `M 100644 inline big${at}\ndata 8000\n${randomBytes(4000).toString('hex')}\n`,
    )
    const input = `commit refs/heads/main\ncommitter S <s@x> 1700000000 +0000\ndata 3\nBig\nfrom refs/heads/main^0\n${files.join('')}`
    execFileSync('git', ['-C', join(root, 'shop.git'), 'fast-import', '--quiet'], { input })
    server.intercept = async (_request, response) => {
      const write = response.write.bind(response)
      let sent = 0
      response.write = (part: Uint8Array) =>
        (sent += part.length) > 300_000 ? (response.destroy(), false) : write(part)
      return false
    }
    assert.equal((await job('pull')).state, 'failed')
    const objects = readdirSync(bench.at('copy/.git/objects'), { recursive: true }).map(String)
    assert.deepEqual([objects.filter((name) => name.includes('tmp_')), objects.length > 0], [[], true])
  })

  it('accepts a push with valid credentials; rejects a wrong password and discloses it nowhere', async () => {
    await job('clone', {
      url: url('private.git'),
      credentials: { login: user.name, password: user.password },
    })
    await bench.post('write', { path: 'copy/pushed.txt', content: 'x' })
    await bench.post('vcs/commit', { path: 'copy', message: 'Push me', all: true })
    for (const credentials of [undefined, { login: 'ann', password: 'wrong-wrong-wrong' }]) {
      const { state, error, text } = await job('push', credentials ? { credentials } : {})
      assert.deepEqual(
        [
          state,
          /^credentials: 127\.0\.0\.1:\d+: it (?:requires credentials$|rejected)/.test(error ?? ''),
          text.includes('wrong-wrong'),
        ],
        ['failed', true, false],
        error ?? '',
      )
    }
    const { state, text, error } = await job('push', {
      credentials: { login: user.name, password: user.password },
      remember: true,
    })
    assert.equal(state, 'succeeded', error ?? '')
    assert.equal(git('-C', 'private.git', 'log', '-1', '--format=%s', 'main').trim(), 'Push me')
    assert.ok(!text.includes(user.password))
    assert.deepEqual((await status()).remotes[0].credentials, { login: 'ann', password: 'a-ve••••••••oken' })
    await bench.post('write', { path: 'copy/pushed.txt', content: 'y' })
    await bench.post('vcs/commit', { path: 'copy', message: 'Again', all: true })
    assert.equal((await job('push')).state, 'succeeded')
  })

  it('is pushed as one change: recorded once at its end, without the password', async () => {
    const credentials = { login: user.name, password: user.password }
    await job('clone', { url: url('private.git'), credentials })
    const { id, state } = await job('push', { credentials })
    const { store } = bench.panel
    const change = await store.db
      .selectFrom('changes')
      .selectAll()
      .where('job_id', '=', id)
      .executeTakeFirstOrThrow()
    const entries = await store.db
      .selectFrom('activity')
      .select(['status', 'request'])
      .where('change_id', '=', change.id)
      .execute()
    assert.deepEqual(
      [state, change.outcome, entries.map(({ status }) => status)],
      ['succeeded', 'ok', ['ok']],
    )
    const { input } = await store.db
      .selectFrom('jobs')
      .select('input')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(input, '')
    const kept = [store.unseal(change.work ?? ''), ...entries.map(({ request }) => request)]
    assert.ok(kept.every((text) => !text?.includes(user.password)))
  })

  it('is changed by one job at a time, each for its caller as they are at its turn', async () => {
    await job('clone', { url: url() })
    const person = await bench.panel.person({ isAdmin: true })
    const pushes = () => server.asked.filter((line) => line.includes('git-receive-pack')).length
    const pushedBefore = pushes()
    const { promise: reached, resolve } = Promise.withResolvers<void>()
    const { promise: held, resolve: release } = Promise.withResolvers<boolean>()
    server.intercept = () => (resolve(), held)
    const first = (await ask('pull', {})).data.job_id
    await reached
    const second = (await ask('push', {}, person)).data.job_id
    const commit = await bench.post('vcs/commit', { path: 'copy', message: 'Mine', all: true })
    assert.deepEqual([commit.status, commit.error.code, commit.error.job_id], [409, 'conflict', first])
    const suspended = await bench.panel.request('PATCH', `/api/users/${person.id}`, {
      as: bench.panel.admin,
      body: { is_suspended: true },
    })
    assert.equal(suspended.status, 200)
    release(false)
    const ended = async (id: number) => {
      await bench.panel.request('GET', `/api/jobs/${id}/events`, { as: bench.panel.admin })
      const { data } = await bench.panel.request('GET', `/api/jobs/${id}`, { as: bench.panel.admin })
      return [data.state, data.error]
    }
    assert.deepEqual(await ended(first), ['succeeded', null])
    assert.deepEqual(await ended(second), ['failed', 'The caller no longer has the permission for this'])
    assert.equal(pushes(), pushedBefore)
  })

  it('does not receive credentials stored for another address', async () => {
    await job('clone', {
      url: url('private.git'),
      credentials: { login: user.name, password: user.password },
      remember: true,
    })
    const other = await serveGit({ root, user: { name: 'x', password: 'y' } })
    execFileSync('git', [
      'config',
      '--file',
      bench.at('copy/.git/config'),
      'remote.origin.url',
      `http://127.0.0.1:${other.port}/private.git`,
    ])
    assert.equal((await job('pull')).state, 'failed')
    assert.deepEqual(
      [other.asked.length > 0, other.asked.some((line) => line.includes('ann'))],
      [true, false],
    )
    await other.close()
  })

  it('rejects a push that would lose commits', async () => {
    await job('clone', {
      url: url('private.git'),
      credentials: { login: user.name, password: user.password },
      remember: true,
    })
    commitThere('private.git', 'theirs.txt', `${Math.random()}`)
    await bench.post('write', { path: 'copy/mine.txt', content: 'm' })
    await bench.post('vcs/commit', { path: 'copy', message: 'Mine', all: true })
    const there = git('-C', 'private.git', 'rev-parse', 'main')
    for (const body of [{}, { force_with_lease: true }]) {
      const { state, error } = await job('push', body)
      assert.deepEqual([state, /was not pushed/.test(error ?? '')], ['failed', true], error ?? '')
    }
    assert.equal(git('-C', 'private.git', 'rev-parse', 'main'), there)
  })

  it('cannot redirect git to another host or port', async () => {
    const other = await serveGit({ root })
    server.intercept = async (_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${other.port}${_request.url}` }).end()
      return true
    }
    const { state, error } = await job('clone', { url: url() })
    assert.deepEqual(
      [state, /another host/.test(error ?? ''), other.asked],
      ['failed', true, []],
      error ?? '',
    )
    await other.close()
  })

  it('runs no program that the configuration of the clone names during a transfer', async () => {
    await job('clone', {
      url: url('private.git'),
      credentials: { login: user.name, password: user.password },
      remember: true,
    })
    const sprung = bench.at('sprung')
    writeFileSync(bench.at('trap'), `#!/bin/sh\ntouch ${sprung}\n`, { mode: 0o755 })
    mkdirSync(bench.at('copy/.git/hooks'))
    for (const hook of [
      'pre-push',
      'post-merge',
      'post-checkout',
      'reference-transaction',
      'pre-merge-commit',
      'pre-auto-gc',
    ])
      symlinkSync(bench.at('trap'), bench.at(`copy/.git/hooks/${hook}`))
    for (const key of [
      'core.sshCommand',
      'core.askPass',
      'credential.helper',
      'core.fsmonitor',
      'core.hooksPath',
    ])
      execFileSync('git', [
        'config',
        '--file',
        bench.at('copy/.git/config'),
        key,
        bench.at(key === 'core.hooksPath' ? 'copy/.git/hooks' : 'trap'),
      ])
    commitThere('private.git', 'hooked.txt', `${Math.random()}`)
    assert.equal((await job('pull')).state, 'succeeded')
    await bench.post('write', { path: 'copy/mine.txt', content: `${Math.random()}` })
    await bench.post('vcs/commit', { path: 'copy', message: 'Mine', all: true })
    assert.equal((await job('push')).state, 'succeeded')
    assert.equal(existsSync(sprung), false)
  })

  it('is cloned without submodules, whatever their addresses and commands', async () => {
    const modules = `[submodule "s"]\n\tpath = s\n\turl = -u./trap\n\tupdate = !touch ${bench.at('sprung')}\n[submodule "t"]\n\tpath = t\n\turl = ext::sh -c touch% ${bench.at('sprung')}\n`
    commitThere('shop.git', '.gitmodules', modules)
    assert.equal((await job('clone', { url: url() })).state, 'succeeded')
    assert.deepEqual([(await status()).is_repository, existsSync(bench.at('sprung'))], [true, false])
  })

  it('leaves nothing after a cancelled clone, an unreachable server, or invalid replies', async () => {
    const { promise: reached, resolve } = Promise.withResolvers<void>()
    server.intercept = () => (resolve(), new Promise(() => {}))
    const { data } = await ask('clone', { url: url() })
    await reached
    const { data: active } = await bench.panel.request('GET', '/api/filemanager/jobs?username=alice', {
      as: bench.panel.admin,
    })
    assert.deepEqual(active.items, [{ job_id: data.job_id, verb: 'clone', name: 'copy', count: 1 }])
    await bench.panel.request('POST', `/api/jobs/${data.job_id}/cancel`, { as: bench.panel.admin })
    await bench.panel.request('GET', `/api/jobs/${data.job_id}/events`, { as: bench.panel.admin })
    assert.equal(
      (await bench.panel.request('GET', `/api/jobs/${data.job_id}`, { as: bench.panel.admin })).data.state,
      'cancelled',
    )
    server.intercept = async (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' })
        .end('nonsense')
      return true
    }
    assert.equal((await job('clone', { url: url() })).state, 'failed')
    const gone = await job('clone', { url: 'http://127.0.0.1:1/x.git' })
    assert.match(gone.error ?? '', /127\.0\.0\.1:1: the connection was refused/)
    assert.deepEqual([existsSync(bench.at('copy')), leftovers()], [false, []])
  })
})
