import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { aliceUid, type FilesBench, openFilesBench } from '../testing/files-bench.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids'

describe('version control in a home', { skip }, () => {
  let bench: FilesBench
  before(async () => {
    bench = await openFilesBench()
  })
  after(() => bench.remove())
  const write = (path: string, content: string) => bench.post('write', { path, content })
  const ok = async (request: ReturnType<FilesBench['get']>) => {
    const { status, data, error } = await request
    assert.ok(status < 300, `${status} ${error?.message}`)
    return data
  }
  const refused = async (request: ReturnType<FilesBench['get']>) => {
    const { status, error } = await request
    return [status, error?.code]
  }
  const status = () => ok(bench.get('vcs', { path: 'site' }))
  const states = async () =>
    (await status()).files.map(({ path, state }: { path: string; state: string }) => `${path} ${state}`)
  const git = (...args: string[]) =>
    execFileSync(
      'setpriv',
      [`--reuid=${aliceUid}`, `--regid=${aliceUid}`, '--clear-groups', 'git', ...args],
      {
        cwd: bench.at('site'),
        encoding: 'utf8',
        env: { PATH: '/usr/bin', HOME: bench.at() },
      },
    )

  it('starts with init, and reports folders without a repository', async () => {
    assert.deepEqual(
      [
        (await status().catch(() => undefined))?.is_repository,
        await refused(bench.get('vcs', { path: 'site' })),
      ],
      [undefined, [404, 'not_found']],
    )
    await bench.post('mkdir', { path: 'site' })
    assert.deepEqual([(await status()).is_repository, (await status()).root], [false, 'site'])
    const { status: code, data } = await bench.post('vcs/init', { path: 'site' })
    assert.deepEqual([code, data], [201, { path: 'site', branch: 'main' }])
    const { branch, head, operation, files, remotes, author } = await status()
    assert.deepEqual([branch, head, operation, files, remotes], ['main', null, 'none', [], []])
    assert.equal(author.name, 'alice')
    assert.deepEqual(await refused(bench.post('vcs/init', { path: 'site' })), [409, 'already_exists'])
    assert.deepEqual((await ok(bench.get('vcs/log', { path: 'site' }))).items, [])
  })

  it('commits all, some or the staged files as the owner, and runs nothing as root', async () => {
    await write('site/a.txt', 'one\n')
    await write('site/b.txt', 'b\n')
    assert.deepEqual(await states(), ['site/a.txt untracked', 'site/b.txt untracked'])
    const first = await ok(
      bench.post('vcs/commit', {
        path: 'site',
        message: 'First\n\nwith a body',
        paths: ['site/a.txt'],
        author_name: 'Ann',
        author_email: 'ann@example.com',
      }),
    )
    assert.deepEqual([first.subject, first.files, await states()], ['First', 1, ['site/b.txt untracked']])
    await ok(bench.post('vcs/commit', { path: 'site', message: 'Second', all: true }))
    await write('site/a.txt', 'two\n')
    assert.deepEqual(await refused(bench.post('vcs/commit', { path: 'site', message: 'x' })), [
      409,
      'nothing_to_commit',
    ])
    git('add', 'a.txt')
    await ok(bench.post('vcs/commit', { path: 'site', message: 'Third' }))
    assert.deepEqual(await refused(bench.post('vcs/commit', { path: 'site', message: 'x', all: true })), [
      409,
      'nothing_to_commit',
    ])
    const { items, total } = await ok(bench.get('vcs/log', { path: 'site', per_page: '2' }))
    assert.deepEqual(
      [items.map(({ subject }: { subject: string }) => subject), total],
      [['Third', 'Second'], 3],
    )
    const [last] = (await ok(bench.get('vcs/log', { path: 'site', per_page: '2', page: '2' }))).items
    assert.deepEqual(
      [last.author_name, last.author_email, last.body.trim(), last.parents],
      ['Ann', 'ann@example.com', 'with a body', []],
    )
    assert.equal(git('log', '-1', '--format=%cn', '--', 'b.txt').trim(), 'alice')
  })

  it('keeps the index if a commit of some paths fails', async () => {
    await write('site/staged.txt', 's')
    await write('site/other.txt', 'o')
    git('add', 'staged.txt')
    assert.deepEqual(
      await refused(bench.post('vcs/commit', { path: 'site', message: 'x', paths: ['site/absent'] })),
      [400, 'bad_request'],
    )
    await ok(bench.post('vcs/commit', { path: 'site', message: 'Only other', paths: ['site/other.txt'] }))
    assert.deepEqual(await states(), ['site/staged.txt added'])
    await ok(bench.post('vcs/commit', { path: 'site', message: 'Staged' }))
  })

  it('shows diffs and commits', async () => {
    await write('site/a.txt', 'three\n')
    const diff = await ok(bench.get('vcs/diff', { path: 'site' }))
    assert.deepEqual(diff.files, [{ path: 'site/a.txt', state: 'modified', additions: 1, deletions: 1 }])
    assert.match(diff.patch, /-two\n\+three\n/)
    assert.equal((await ok(bench.get('vcs/diff', { path: 'site', staged: 'true' }))).patch, '')
    assert.equal((await ok(bench.get('vcs/diff', { path: 'site', file: 'site/b.txt' }))).patch, '')
    assert.match(
      (await ok(bench.get('vcs/diff', { path: 'site', from: 'HEAD~3', to: 'HEAD' }))).patch,
      /staged\.txt/,
    )
    const shown = await ok(bench.get('vcs/show', { path: 'site', commit: 'main' }))
    assert.deepEqual([shown.subject, shown.files.length], ['Staged', 1])
    const root = await ok(
      bench.get('vcs/show', { path: 'site', commit: git('rev-list', '--max-parents=0', 'HEAD').trim() }),
    )
    assert.deepEqual([root.parents, root.files[0].state], [[], 'added'])
    assert.deepEqual(await refused(bench.get('vcs/show', { path: 'site', commit: 'nothing' })), [
      404,
      'not_found',
    ])
    for (const commit of ['--output=x', '-p', '', 'a b', 'x\0y'])
      assert.deepEqual(await refused(bench.get('vcs/show', { path: 'site', commit })), [400, 'bad_request'])
    assert.deepEqual(await refused(bench.get('vcs/diff', { path: 'site', file: 'elsewhere' })), [
      400,
      'bad_request',
    ])
  })

  it('reverts commits and discards changes; moves untracked files to the trash', async () => {
    await write('site/new.txt', 'n')
    assert.deepEqual(await refused(bench.post('vcs/revert', { path: 'site' })), [400, 'bad_request'])
    const discarded = await ok(
      bench.post('vcs/revert', { path: 'site', paths: ['site/a.txt', 'site/new.txt'] }),
    )
    assert.deepEqual(discarded, { commit: null, discarded: 1, trashed: 1 })
    assert.deepEqual(
      [readFileSync(bench.at('site/a.txt'), 'utf8'), existsSync(bench.at('site/new.txt'))],
      ['two\n', false],
    )
    assert.equal((await ok(bench.get('trash'))).items[0].path, 'site/new.txt')
    const third = git('log', '--format=%H', '--grep=Third').trim()
    const { commit } = await ok(bench.post('vcs/revert', { path: 'site', commit: third }))
    assert.deepEqual(
      [readFileSync(bench.at('site/a.txt'), 'utf8'), git('rev-parse', 'HEAD').trim()],
      ['one\n', commit],
    )
  })

  it('does not revert a commit with conflicts, and leaves no partial changes', async () => {
    await write('site/a.txt', 'changed\n')
    await ok(bench.post('vcs/commit', { path: 'site', message: 'Later', all: true }))
    const third = git('log', '--format=%H', '--grep=^Third').trim()
    assert.deepEqual(await refused(bench.post('vcs/revert', { path: 'site', commit: third })), [
      409,
      'conflict',
    ])
    const { operation, files } = await status()
    assert.deepEqual(
      [operation, files, readFileSync(bench.at('site/a.txt'), 'utf8')],
      ['none', [], 'changed\n'],
    )
  })

  it('stores remotes, with credentials encrypted and masked', async () => {
    const remote = (body: object) => bench.post('vcs/remote', { path: 'site', name: 'origin', ...body })
    await ok(
      remote({
        action: 'add',
        url: 'https://git.example.com/a.git',
        credentials: { login: 'ann', password: 'a-very-secret-token' },
      }),
    )
    const [first] = (await status()).remotes
    assert.deepEqual(
      [first.name, first.url, first.problem, first.credentials, first.server_fingerprint],
      ['origin', 'https://git.example.com/a.git', null, { login: 'ann', password: 'a-ve••••••••oken' }, null],
    )
    const request = `/api/filemanager/vcs?username=alice&path=site&reveal=1`
    assert.equal((await bench.panel.request('GET', request, { as: bench.alice })).status, 403)
    const revealed = (await bench.panel.request('GET', request, { as: bench.panel.admin })).data.remotes[0]
      .credentials
    assert.deepEqual(revealed, { login: 'ann', password: 'a-very-secret-token' })
    assert.deepEqual(await refused(remote({ action: 'add', url: 'https://git.example.com/a.git' })), [
      409,
      'already_exists',
    ])
    await ok(remote({ action: 'set_credentials', credentials: { login: 'bea', password: '********' } }))
    assert.equal((await status()).remotes[0].credentials.login, 'bea')
    for (const [action, credentials] of [
      ['set_credentials', { login: 'bea', private_key: '-----BEGIN OPENSSH PRIVATE KEY-----\nx\n' }],
      ['set_credentials', { login: 'bea', password: 'x', private_key: 'no key at all' }],
    ] as const)
      assert.deepEqual(await refused(remote({ action, credentials })), [400, 'bad_request'])
    const overSsh = { action: 'add', name: 'ssh', url: 'git@git.example.com:a.git' }
    assert.deepEqual(await refused(remote({ ...overSsh, credentials: { login: 'git', password: 'x' } })), [
      400,
      'bad_request',
    ])
    assert.equal((await status()).remotes.length, 1)
    await ok(remote({ action: 'set_url', url: 'https://elsewhere.example.com/a.git' }))
    assert.equal((await status()).remotes[0].credentials, null)
    assert.deepEqual(await refused(remote({ action: 'remove', name: 'none' })), [404, 'not_found'])
    await ok(remote({ action: 'remove' }))
    assert.deepEqual((await status()).remotes, [])
  })

  it('rejects addresses that are not http, https or ssh, or that contain credentials', async () => {
    const bad = [
      'ext::sh -c id',
      'file:///etc',
      '/etc',
      '../x',
      'git://h/x',
      '-uxx',
      'https://u:p@h/x',
      'https://token@h/x',
      'ssh://-oProxyCommand=x/y',
    ]
    for (const url of [
      ...bad,
      'host:-x',
      '-o@h:x',
      'https://h',
      'ftp://h/x',
      'http://h/x\ny',
      'x'.repeat(2001),
      '',
    ]) {
      for (const [verb, body] of [
        ['remote', { path: 'site', action: 'add', name: 'o', url }],
        ['clone', { path: 'copy', url }],
      ] as const)
        assert.deepEqual(
          await refused(bench.post(`vcs/${verb}`, body)),
          [400, 'bad_request'],
          `${verb} ${url}`,
        )
    }
  })

  it('accepts the same names and values as git', async () => {
    writeFileSync(bench.at('site/words.txt'), 'x')
    const all = { path: 'site', message: 'x', all: true }
    for (const author_name of ['<>', ' ', '.'])
      assert.deepEqual(await refused(bench.post('vcs/commit', { ...all, author_name })), [400, 'bad_request'])
    for (const message of ['\0', 'a\0b', ' \n'])
      assert.deepEqual(
        await refused(bench.post('vcs/commit', { ...all, message })),
        [400, 'bad_request'],
        JSON.stringify(message),
      )
    for (const branch of [
      'x.lock',
      'HEAD',
      '@',
      'a..b',
      '-x',
      'a b',
      'a/',
      '.x',
      'a/.b',
      'x:y',
      'x\0',
      '--upload-pack=x',
    ])
      assert.deepEqual(
        await refused(bench.post('vcs/init', { path: 'words', branch })),
        [400, 'bad_request'],
        branch,
      )
    assert.deepEqual(
      await refused(
        bench.post('vcs/remote', { path: 'site', action: 'add', name: 'a.lock', url: 'https://h/x' }),
      ),
      [400, 'bad_request'],
    )
    await ok(bench.post('vcs/init', { path: 'words', branch: '_é/ü#1' }))
    assert.equal((await ok(bench.get('vcs', { path: 'words' }))).branch, '_é/ü#1')
    await ok(bench.post('vcs/commit', all))
    git('branch', 'ünï')
    assert.ok((await ok(bench.get('vcs/log', { path: 'site', ref: 'ünï' }))).total > 0)
    git('branch', '-d', 'ünï')
  })

  it('finds no commit by an invalid id or the id of a file', async () => {
    for (const from of [`${'0'.repeat(39)}1`, git('rev-parse', 'HEAD:a.txt').trim()])
      assert.deepEqual(await refused(bench.get('vcs/diff', { path: 'site', from })), [404, 'not_found'])
  })

  it('rejects internal addresses for callers who are not superusers', async () => {
    for (const url of [
      'http://127.0.0.1/x.git',
      'ssh://git@10.0.0.1/x',
      'git@[::1]:x',
      'https://169.254.169.254/x',
    ])
      assert.deepEqual(
        await refused(bench.post('vcs/clone', { path: 'copy', url })),
        [400, 'bad_request'],
        url,
      )
  })

  it('rejects invalid paths and folders without a repository', async () => {
    for (const path of [
      '../x',
      'a/../..',
      'x\0y',
      'y'.repeat(300),
      'z'.repeat(5000),
      'site/a.txt',
      'site/a.txt/',
      '.hostreeve-trash',
    ]) {
      for (const request of [
        bench.get('vcs', { path }),
        bench.get('vcs/log', { path }),
        bench.post('vcs/commit', { path, message: 'x', all: true }),
      ])
        assert.deepEqual(await refused(request), [400, 'bad_request'], path.slice(0, 20))
    }
    assert.deepEqual(await refused(bench.post('vcs/clone', { path: '/', url: 'https://192.0.2.1/x' })), [
      400,
      'bad_request',
    ])
    assert.deepEqual(await refused(bench.post('vcs/clone', { path: 'site', url: 'https://192.0.2.1/x' })), [
      409,
      'already_exists',
    ])
    await bench.post('mkdir', { path: 'plain' })
    for (const request of [
      bench.get('vcs/log', { path: 'plain' }),
      bench.get('vcs/diff', { path: 'plain' }),
      bench.get('vcs/show', { path: 'plain', commit: 'HEAD' }),
      bench.post('vcs/commit', { path: 'plain', message: 'x' }),
      bench.post('vcs/revert', { path: 'plain', all: true }),
      bench.post('vcs/pull', { path: 'plain' }),
      bench.post('vcs/push', { path: 'plain' }),
      bench.post('vcs/remote', { path: 'plain', action: 'remove', name: 'origin' }),
    ])
      assert.deepEqual(await refused(request), [409, 'not_a_repository'])
    assert.deepEqual(await refused(bench.get('vcs/log', { path: 'absent' })), [404, 'not_found'])
  })

  it('rejects a repository whose configuration could start programs, and names the key', async () => {
    git('config', 'filter.x.clean', 'touch /tmp/x')
    for (const request of [
      bench.get('vcs', { path: 'site' }),
      bench.post('vcs/commit', { path: 'site', message: 'x', all: true }),
    ]) {
      const { status: code, error } = await request
      assert.deepEqual(
        [code, error.code, error.key, error.message.includes('filter.x.clean')],
        [409, 'repository_refused', 'filter.x.clean', true],
      )
    }
    git('config', '--unset-all', 'filter.x.clean')
    assert.equal((await status()).is_repository, true)
  })

  it('commits and discards files whose names are not UTF-8, given as bytes', async () => {
    const name = Buffer.concat([Buffer.from(bench.at('site/')), Buffer.from([0xff, 0x0a])])
    writeFileSync(name, 'odd')
    const { path_b64 } = (await status()).files.find(
      (file: { path_b64?: string }) => file.path_b64 !== undefined,
    )
    await ok(bench.post('vcs/commit', { path: 'site', message: 'Odd', paths_b64: [path_b64] }))
    chownSync(name, aliceUid, aliceUid)
    writeFileSync(name, 'changed')
    assert.equal((await ok(bench.post('vcs/revert', { path: 'site', paths_b64: [path_b64] }))).discarded, 1)
    assert.equal(readFileSync(name, 'utf8'), 'odd')
  })

  it('supports a repository in the home itself, without the trash of the panel', async () => {
    await ok(bench.post('vcs/init', { path: '' }))
    await write('top.txt', 'top')
    assert.equal((await ok(bench.get('trash'))).total > 0, true)
    const { files } = await ok(bench.get('vcs'))
    assert.ok(
      files.every(({ path }: { path: string }) => !path.startsWith('.hostreeve')) &&
        files.some(({ path }: { path: string }) => path === 'top.txt'),
    )
    await ok(bench.post('vcs/commit', { path: '/', message: 'Home', all: true }))
    assert.deepEqual(
      (await ok(bench.get('vcs', { path: '/' }))).files.filter(
        ({ is_submodule }: { is_submodule: boolean }) => !is_submodule,
      ),
      [],
    )
    rmSync(bench.at('.git'), { recursive: true })
  })

  it('reports that another git process is running if a lock file exists, and keeps the lock', async () => {
    writeFileSync(bench.at('site/.git/index.lock'), '')
    writeFileSync(bench.at('site/locked.txt'), '')
    const { status: code, error } = await bench.post('vcs/commit', { path: 'site', message: 'x', all: true })
    assert.deepEqual(
      [
        code,
        error.code,
        /path: site: another git process .* remove site\/\.git\/index\.lock/.test(error.message),
      ],
      [409, 'conflict', true],
      error.message,
    )
    rmSync(bench.at('site/.git/index.lock'))
    assert.equal(
      (await ok(bench.post('vcs/revert', { path: 'site', paths: ['site/locked.txt'] }))).trashed,
      1,
    )
  })

  it('shows a plan without carrying it out, and does not touch other users', async () => {
    writeFileSync(bench.at('site/planned.txt'), 'x')
    const plan = await bench.panel.request('POST', '/api/filemanager/vcs/commit?plan=1', {
      as: bench.alice,
      body: { username: 'alice', path: 'site', message: 'Planned', all: true },
    })
    assert.deepEqual([plan.status, plan.data.steps[0].title], [200, 'Commit in site of alice'])
    assert.notEqual(git('log', '-1', '--format=%s').trim(), 'Planned')
    for (const verb of ['init', 'commit', 'remote', 'revert', 'clone', 'pull', 'push']) {
      const body = {
        username: 'bob',
        path: 'site',
        message: 'x',
        name: 'o',
        action: 'remove',
        url: 'https://h.example.com/x',
        all: true,
      }
      assert.deepEqual(await refused(bench.post(`vcs/${verb}`, body)), [403, 'forbidden'], verb)
    }
    for (const verb of ['vcs', 'vcs/diff', 'vcs/log', 'vcs/show'])
      assert.deepEqual(
        await refused(bench.get(verb, { username: 'bob', path: 'site', commit: 'HEAD' })),
        [403, 'forbidden'],
        verb,
      )
  })
})
