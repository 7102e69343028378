import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { skip } from '../../../host/owner/testing/homes.ts'
import type { Answer } from '../../../../test/support/panel.ts'
import { aliceUid, type FilesBench, openFilesBench } from '../testing/files-bench.ts'

describe('a plan of a repository operation, and the operation', { skip }, () => {
  let bench: FilesBench
  before(async () => {
    bench = await openFilesBench()
    sh(
      'for name in site still torn; do git init -q -b main $name; done; touch file; mkdir shut; chmod 555 shut',
    )
    sh('cd still; echo 1 >a; git add a; git commit -qm one')
    sh(
      'cd torn; echo 1 >a; git add a; git commit -qm one; git checkout -qb other; echo 2 >a; git commit -qam two',
    )
    sh('cd torn; git checkout -q main; echo 3 >a; git commit -qam three; git merge -q other || true')
  })
  after(() => bench.remove())
  const sh = (script: string) =>
    execFileSync(
      'setpriv',
      [`--reuid=${aliceUid}`, `--regid=${aliceUid}`, '--clear-groups', 'sh', '-ec', script],
      {
        cwd: bench.at(),
        stdio: 'ignore',
        env: {
          ...{
            PATH: '/usr/bin:/bin',
            HOME: bench.at(),
            GIT_AUTHOR_NAME: 'a',
            GIT_AUTHOR_EMAIL: 'a@a.example',
          },
          ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@a.example' },
        },
      },
    )
  const listing = () => readdirSync(bench.at(), { recursive: true }).map(String).sort()
  const refusal = ({ status, error, text }: Answer) => {
    assert.ok(status >= 400, text)
    return [
      status,
      error?.code,
      String(error?.message).replace(' Nothing was changed.', '').replace(/\.$/, ''),
    ]
  }

  for (const [verb, body] of [
    ['init', { path: 'site' }],
    ['init', { path: 'file' }],
    ['init', { path: 'shut' }],
    ['init', { path: 'shut/new' }],
    ['commit', { path: 'site', message: 'm', all: true }],
    ['commit', { path: 'site', message: 'm' }],
    ['commit', { path: 'still', message: 'm', paths: ['still/a'] }],
    ['commit', { path: 'torn', message: 'm', all: true }],
    ['commit', { path: 'torn', message: 'm' }],
    ['commit', { path: 'shut', message: 'm' }],
    ['revert', { path: 'still', commit: 'abcdef1' }],
    ['revert', { path: 'torn', commit: 'main' }],
    ['revert', { path: 'still', all: true }],
    ['revert', { path: 'still', paths: ['still/a'] }],
  ] as const)
    it(`are rejected alike: ${verb} ${JSON.stringify(body)}`, async () => {
      const was = listing()
      const plan = await bench.post(`vcs/${verb}?plan=1`, body)
      assert.deepEqual(listing(), was)
      assert.deepEqual(refusal(plan), refusal(await bench.post(`vcs/${verb}`, body)))
    })

  it('list what is committed, discarded and reverted', async () => {
    const planned = async (verb: string, body: object) => {
      const { status, data, text } = await bench.post(`vcs/${verb}?plan=1`, { path: 'still', ...body })
      assert.equal(status, 200, text)
      return data.steps[0].details
    }
    sh('cd still; echo 2 >a; echo new >b')
    assert.deepEqual(await planned('commit', { message: 'm', all: true }), ['Commits 2 files: a, b'])
    assert.deepEqual(await planned('revert', { all: true }), [
      'Makes 1 file as in the last commit, and moves 1 file that no commit has to the trash',
    ])
    const { data } = await bench.post('vcs/revert', { path: 'still', all: true })
    assert.deepEqual([data.discarded, data.trashed], [1, 1])
    assert.match(
      (await planned('revert', { commit: 'HEAD' }))[0],
      /^Makes a commit that takes [0-9a-f]{40} back/,
    )
    assert.equal((await bench.post('vcs/init?plan=1', { path: 'absent/new' })).status, 200)
    assert.equal((await bench.post('vcs/init', { path: 'absent/new' })).status, 201)
  })
})
