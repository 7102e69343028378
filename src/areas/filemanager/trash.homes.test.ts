import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { after, before, beforeEach, describe, it } from 'node:test'
import { aliceUid, type FilesBench, openFilesBench } from './testing/files-bench.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids'

describe('the trash of a home', { skip }, () => {
  let bench: FilesBench
  before(async () => {
    bench = await openFilesBench()
  })
  after(() => bench.remove())
  beforeEach(async () => {
    await bench.post('trash/empty', {})
    await bench.post('mkdir', { path: 'd/e', recursive: true })
    await bench.post('write', { path: 'd/e/f', content: 'kept' })
  })
  const items = async () => (await bench.get('trash')).data.items
  const code = async (verb: string, body: object) => {
    const { status, error } = await bench.post(verb, body)
    return [status, error?.code]
  }

  it('reports its size including the content of its folders', async () => {
    assert.deepEqual((await bench.get('dirsize', { trash: 'true' })).data, { size_bytes: 0 })
    writeFileSync(bench.at('d/e/large'), Buffer.alloc(3_000_000))
    await bench.post('delete', { paths: ['d'], trash: true })
    const { size_bytes } = (await bench.get('dirsize', { trash: 'true' })).data
    assert.ok(size_bytes > 3_000_000 && size_bytes < 3_100_000, String(size_bytes))
    const refused: readonly Readonly<Record<string, string>>[] = [
      { trash: 'true', path: 'd' },
      { trash: 'perhaps' },
    ]
    for (const query of refused) assert.equal((await bench.get('dirsize', query)).error.code, 'bad_request')
    assert.equal((await bench.get('dirsize', { trash: 'true', username: 'bob' })).status, 403)
  })

  it('receives deleted files, shows them only in its own list, and restores them', async () => {
    assert.equal((await bench.post('delete', { paths: ['d/e', '/d'], trash: true })).status, 200)
    assert.equal(existsSync(bench.at('d')), false)
    const [first, second] = await items()
    assert.deepEqual(
      [first.path, first.type, second.path, second.path_b64],
      ['d', 'folder', 'd/e', undefined],
    )
    assert.ok(Math.abs(Date.parse(first.deleted_at) - Date.now()) < 60_000)
    const names = (await bench.get('list', { show_hidden: 'true' })).data.items.map(
      ({ name }: { name: string }) => name,
    )
    assert.equal(
      names.some((name: string) => name.startsWith('.hostreeve')),
      false,
    )
    assert.equal((await bench.post('trash/restore', { ids: [second.id] })).status, 200)
    assert.equal(readFileSync(bench.at('d/e/f'), 'utf8'), 'kept')
    assert.deepEqual(await code('trash/restore', { ids: [first.id] }), [409, 'already_exists'])
    assert.deepEqual(
      (await items()).map(({ id }: { id: string }) => id),
      [first.id],
    )
    assert.equal(statSync(bench.at('.hostreeve-trash')).uid, aliceUid)
  })

  it('is emptied partly or completely', async () => {
    await bench.post('write', { path: 'g', content: '' })
    await bench.post('delete', { paths: ['d', 'g'], trash: true })
    const [g] = await items()
    assert.equal((await bench.post('trash/empty', { ids: [g.id] })).status, 200)
    assert.deepEqual(
      (await items()).map(({ path }: { path: string }) => path),
      ['d'],
    )
    assert.equal((await bench.post('trash/empty', {})).status, 200)
    assert.deepEqual(readdirSync(bench.at('.hostreeve-trash')), [])
  })

  it('moves nothing if a path does not exist, and names that path', async () => {
    const { status, error } = await bench.post('delete', { paths: ['d/e', 'absent', 'd'], trash: true })
    assert.deepEqual(
      [status, error.code, error.message],
      [500, 'delete_failed', 'paths: absent does not exist'],
    )
    assert.deepEqual([existsSync(bench.at('d/e')), existsSync(bench.at('d'))], [true, true])
    assert.deepEqual(await code('trash/restore', { ids: ['absent'] }), [404, 'not_found'])
    for (const ids of [[], ['../x'], ['a/b'], [''], 'x'])
      assert.deepEqual(await code('trash/restore', { ids }), [400, 'bad_request'], String(ids))
  })

  it('restores one of several entries with the same original path, and keeps the others', async () => {
    for (const text of ['1', '2', '3']) {
      await bench.post('write', { path: 'd/twice', content: text })
      await bench.post('delete', { paths: ['d/twice'], trash: true })
    }
    const answers = await Promise.all(
      (await items()).map(({ id }: { id: string }) => bench.post('trash/restore', { ids: [id] })),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409])
    assert.equal((await items()).length, 2)
  })

  it('names an entry that it could not remove, which remains without blocking the others', async (t) => {
    await bench.post('write', { path: 'd/e/locked', content: 'x' })
    if ((await bench.post('lock', { path: 'd/e/locked' })).status !== 200)
      return t.skip('the file system has no flags')
    await bench.post('delete', { paths: ['d/e'], trash: true })
    await bench.post('write', { path: 'd/other', content: 'x' })
    await bench.post('delete', { paths: ['d/other'], trash: true })
    const { status, error } = await bench.post('trash/empty', {})
    assert.deepEqual([status, error.code, error.is_partial], [403, 'forbidden', true])
    assert.match(error.message, /^ids: d\/e: .*1 of 2 were removed; restore the locked/)
    const [left, ...others] = await items()
    assert.deepEqual([left.path, others], ['d/e', []])
    assert.equal((await bench.post('trash/restore', { ids: [left.id] })).status, 200)
    assert.equal((await bench.post('unlock', { path: 'd/e/locked' })).status, 200)
  })

  it('reports the number of paths that it received before one that failed', async () => {
    await bench.post('mkdir', { path: 'closed' })
    await bench.post('write', { path: 'closed/in', content: 'x' })
    chmodSync(bench.at('closed'), 0o555)
    const { error } = await bench.post('delete', { paths: ['d/e', 'closed/in'], trash: true })
    assert.match(error.message, /^paths: closed\/in: .*\. 1 of 2 are in the trash already$/)
    assert.deepEqual(
      [error.is_partial, existsSync(bench.at('d/e')), existsSync(bench.at('closed/in'))],
      [true, false, true],
    )
    chmodSync(bench.at('closed'), 0o755)
  })

  it('is inaccessible to all other endpoints', async () => {
    for (const path of ['.hostreeve-trash', '/.hostreeve-trash/x', 'd/.hostreeve-trash']) {
      assert.equal((await bench.get('list', { path })).status, 400, path)
      assert.equal((await bench.post('write', { path, content: '' })).status, 400, path)
    }
  })

  it('gives access to nothing else, whatever its owner puts into it', async () => {
    const made = bench.at('.hostreeve-trash', 'made')
    mkdirSync(made)
    writeFileSync(`${made}/what`, 'of alice')
    for (const from of ['../out', '/etc/cron.d/x', 'a\0b', '']) {
      writeFileSync(`${made}/from`, from)
      chownSync(made, aliceUid, aliceUid)
      assert.ok(Number((await code('trash/restore', { ids: ['made'] }))[0]) >= 400, from)
      assert.deepEqual(await items(), [])
    }
    symlinkSync('/etc', bench.at('.hostreeve-trash', 'link'))
    assert.equal((await bench.post('trash/empty', {})).status, 200)
    assert.equal(existsSync('/etc/passwd'), true)
    chmodSync(bench.at(), 0o755)
  })
})

describe('files that are removed for good', { skip }, () => {
  let bench: FilesBench
  before(async () => {
    bench = await openFilesBench()
  })
  after(() => bench.remove())
  const remove = async (paths: readonly string[]) => {
    const { status, error } = await bench.post('delete', { paths })
    return [status, error?.code, error?.message, error?.is_partial]
  }

  it('are removed in order up to the first that fails, which is named with how many are gone', async () => {
    for (const path of ['a', 'b', 'c']) await bench.post('write', { path, content: 'x' })
    const gone = '1 of 3 are removed already'
    const plan = await bench.post('delete?plan=1', { paths: ['a', 'absent', 'b'] })
    assert.deepEqual(
      [plan.status, plan.error.message, existsSync(bench.at('a'))],
      [500, 'paths: absent does not exist', true],
    )
    assert.deepEqual(await remove(['a', 'absent', 'b']), [
      500,
      'delete_failed',
      `paths: absent does not exist. ${gone}`,
      true,
    ])
    assert.deepEqual(
      ['a', 'b', 'c'].map((path) => existsSync(bench.at(path))),
      [false, true, true],
    )
    const [status, code, message, isPartial] = await remove(['b', 'c/', 'c'])
    assert.deepEqual([status, code, isPartial, existsSync(bench.at('c'))], [500, 'delete_failed', true, true])
    assert.equal(String(message).endsWith(gone), true, String(message))
  })

  it('are left as they are if the first of them fails', async () => {
    await bench.post('write', { path: 'a', content: 'x' })
    const [status, code, message, isPartial] = await remove(['absent', 'a'])
    assert.deepEqual([status, code, isPartial], [500, 'delete_failed', undefined])
    assert.match(String(message), /^paths: absent does not exist/)
    assert.equal(existsSync(bench.at('a')), true)
  })
})
