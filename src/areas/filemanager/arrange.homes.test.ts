import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { aliceUid, type FilesBench, openFilesBench } from './testing/files-bench.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids'

describe('the file manager arranges files', { skip }, () => {
  let bench: FilesBench
  before(async () => {
    bench = await openFilesBench()
  })
  after(() => bench.remove())
  const post = async (verb: string, body: object) => {
    const { status, data, error } = await bench.post(verb, body)
    return status === 200 ? data : [status, error.code, error.message]
  }
  const done = { success: true }

  it('gives a name to only one of several concurrent moves, renames and copies', async () => {
    for (const [verb, asked] of [
      ['rename', (n: number) => ({ path: `race/${n}`, new_name: 'taken' })],
      ['move', (n: number) => ({ src_path: `race/${n}`, dst_path: 'race/taken' })],
      ['copy', (n: number) => ({ src_path: `race/${n}`, dst_path: 'race/taken' })],
    ] as const) {
      await bench.post('mkdir', { path: 'race' })
      for (const n of [1, 2, 3, 4]) await bench.post('write', { path: `race/${n}`, content: String(n) })
      const answers = await Promise.all([1, 2, 3, 4].map((n) => bench.post(verb, asked(n))))
      assert.equal(answers.filter(({ status }) => status === 200).length, 1, verb)
      const { data } = await bench.get('list', { path: 'race' })
      assert.equal(data.items.length, verb === 'copy' ? 5 : 4, verb)
      await bench.post('delete', { paths: ['race'] })
    }
  })

  it('copies, moves and renames as the user', async () => {
    await bench.post('write', { path: 'a.txt', content: 'one' })
    await bench.post('mkdir', { path: 'd' })
    assert.deepEqual(await post('copy', { src_path: 'a.txt', dst_path: '/d' }), done)
    assert.deepEqual(await post('rename', { path: '/d/a.txt', new_name: '-b.txt' }), done)
    assert.deepEqual(await post('move', { src_path: 'd/-b.txt', dst_path: 'c.txt' }), done)
    assert.deepEqual(
      [
        readFileSync(bench.at('c.txt'), 'utf8'),
        statSync(bench.at('c.txt')).uid,
        existsSync(bench.at('d/-b.txt')),
      ],
      ['one', aliceUid, false],
    )
  })

  it('answers copy_failed for entries that cannot be copied, and names the path', async () => {
    assert.deepEqual(await post('copy', { src_path: 'absent', dst_path: 'x' }), [
      500,
      'copy_failed',
      'src_path: absent does not exist. Nothing was changed.',
    ])
    assert.deepEqual(await post('copy', { src_path: 'a.txt', dst_path: 'c.txt' }), [
      500,
      'copy_failed',
      'dst_path: c.txt exists already. Nothing was changed.',
    ])
    assert.deepEqual(await post('move', { src_path: 'absent', dst_path: 'x' }), [
      404,
      'not_found',
      'src_path: absent does not exist. Nothing was changed.',
    ])
    assert.deepEqual(await post('rename', { path: 'a.txt', new_name: 'c.txt' }), [
      409,
      'already_exists',
      'new_name: c.txt exists already. Nothing was changed.',
    ])
    for (const path of ['../x', 'a/../../x', 'x\0y', `${'y'.repeat(300)}`]) {
      for (const asked of [
        { src_path: path, dst_path: 'x' },
        { src_path: 'a.txt', dst_path: path },
      ]) {
        const [status, code] = await post('copy', asked)
        assert.deepEqual([status, code], [400, 'bad_request'], path)
      }
    }
    assert.equal((await post('rename', { path: 'a.txt', new_name: '..' }))[0], 400)
    assert.match((await post('rename', { path: 'a.txt', new_name: 'b/c' }))[2], /^new_name: /)
    assert.match((await post('copy', { dst_path: 'x' }))[2], /^src_path/)
  })

  it('changes modes; answers 400 for invalid octal modes, setuid and setgid', async () => {
    for (const [mode, bits] of [
      ['0640', 0o640],
      ['1777', 0o1777],
      ['600', 0o600],
    ] as const) {
      assert.deepEqual(await post('chmod', { path: 'a.txt', mode }), done)
      assert.equal(statSync(bench.at('a.txt')).mode & 0o7777, bits)
    }
    for (const mode of ['9999', '4755', '2755', '6755', '7777', 'u+x', '', '-1', '0o644']) {
      const [status, code, message] = await post('chmod', { path: 'a.txt', mode })
      assert.deepEqual([status, code, message.split(':')[0]], [400, 'bad_request', 'mode'], mode)
    }
    assert.equal((await post('chmod', { path: 'a.txt', mode: 644 }))[0], 400)
    for (const body of [{ only: 'files' }, { only: 'links', recursive: true }])
      assert.deepEqual((await post('chmod', { path: 'd', mode: '644', ...body })).slice(0, 2), [
        400,
        'bad_request',
      ])
    assert.deepEqual(await post('chmod', { path: 'd', mode: '700', recursive: true, only: 'folders' }), done)
    assert.deepEqual(await post('chmod', { path: 'd', mode: '604', recursive: true, only: 'files' }), done)
    assert.equal(statSync(bench.at('d')).mode & 0o777, 0o700)
    assert.deepEqual((await post('chmod', { path: 'absent', mode: '644' })).slice(0, 2), [
      500,
      'chmod_failed',
    ])
    assert.deepEqual((await post('chmod', { path: '/', mode: '077' })).slice(0, 2), [400, 'bad_request'])
  })

  it('reports the size of a folder like du', async () => {
    const { data } = await bench.get('dirsize', { path: 'd' })
    assert.deepEqual(data, {
      size_bytes: Number(execFileSync('du', ['-sb', bench.at('d')], { encoding: 'utf8' }).split('\t')[0]),
    })
    for (const path of ['absent', 'a.txt']) {
      const { status, error } = await bench.get('dirsize', { path })
      assert.deepEqual([status, error.code], [500, 'dirsize_failed'], path)
    }
  })

  it('locks and unlocks a file', async () => {
    assert.deepEqual(await post('lock', { path: 'a.txt' }), done)
    assert.equal((await bench.get('stat', { path: 'a.txt' })).data.is_locked, true)
    assert.deepEqual((await post('write', { path: 'a.txt', content: 'two' })).slice(0, 2), [403, 'forbidden'])
    assert.deepEqual(await post('unlock', { path: 'a.txt' }), done)
    assert.equal((await bench.post('write', { path: 'a.txt', content: 'two' })).status, 200)
    assert.deepEqual((await post('lock', { path: 'absent' })).slice(0, 2), [404, 'not_found'])
    writeFileSync(bench.at('of-root'), '')
    assert.deepEqual((await post('lock', { path: 'of-root' })).slice(0, 2), [500, 'lock_failed'])
  })

  it('shows a plan without carrying it out, and does not touch other users', async () => {
    const plan = await bench.panel.request('POST', '/api/filemanager/copy?plan=1', {
      as: bench.alice,
      body: { username: 'alice', src_path: 'a.txt', dst_path: 'planned' },
    })
    assert.deepEqual(
      [plan.status, plan.data.steps[0].title, existsSync(bench.at('planned'))],
      [200, 'Copy a.txt to planned in the home of alice', false],
    )
    for (const [verb, body] of [
      ['copy', { src_path: 'a', dst_path: 'b' }],
      ['chmod', { path: 'a', mode: '644' }],
      ['lock', { path: 'a' }],
    ] as const) {
      assert.deepEqual((await post(verb, { ...body, username: 'bob' })).slice(0, 2), [403, 'forbidden'])
      assert.deepEqual((await post(verb, { ...body, username: 'root' })).slice(0, 2), [403, 'forbidden'])
      assert.deepEqual((await post(verb, { ...body, username: '', website_id: 77 })).slice(0, 2), [
        404,
        'not_found',
      ])
    }
    const asRoot = await bench.panel.request('POST', '/api/filemanager/lock', {
      as: bench.panel.admin,
      body: { username: 'root', path: 'a' },
    })
    assert.deepEqual([asRoot.status, asRoot.error.code], [400, 'bad_request'])
  })
})
