import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { type FilesBench, openFilesBench } from '../testing/files-bench.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids'
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')

interface Item {
  readonly id: number
  readonly [field: string]: unknown
}

describe('the history of files', { skip }, () => {
  let bench: FilesBench
  before(async () => {
    bench = await openFilesBench()
  })
  after(() => bench.remove())
  const write = async (path: string, content: string) => (await bench.post('write', { path, content })).data
  const versions = async (path: string): Promise<Item[]> => (await bench.get('history', { path })).data.items
  const newest = async (path: string): Promise<Item> => (await versions(path))[0]!
  const content = async ({ id }: Item) =>
    (await bench.get('history/content', { id: String(id) })).data.content

  it('has no version of a new file, and one of each replaced content, with user and time', async () => {
    await write('a.txt', 'one')
    assert.deepEqual(await versions('a.txt'), [])
    await write('a.txt', 'two')
    await write('a.txt', 'three')
    const [second, first] = await versions('a.txt')
    assert.deepEqual([await content(first!), await content(second!)], ['one', 'two'])
    const { id, sha256, written_at, replaced_at, ...rest } = second!
    const by = { id: bench.alice.id, email: bench.alice.email }
    assert.deepEqual(rest, {
      path: 'a.txt',
      size_bytes: 3,
      is_kept: true,
      written_by: by,
      written_through: 'write',
      replaced_by: by,
      replaced_through: 'write',
    })
    assert.ok(id > first!.id && String(written_at) <= String(replaced_at) && sha256 !== first!.sha256)
  })

  it('makes no version if the same content is written again or the write fails', async () => {
    await write('same', 'x')
    await write('same', 'x')
    assert.equal((await bench.post('write', { path: 'same', content: 'y', if_match: 'other' })).status, 409)
    assert.deepEqual(await versions('same'), [])
  })

  it('marks contents that were written outside the panel', async () => {
    await write('b', 'one')
    writeFileSync(bench.at('b'), 'by the owner')
    await write('b', 'two')
    const { written_by, written_through, replaced_by } = await newest('b')
    assert.deepEqual(
      [written_by, written_through, replaced_by],
      [null, null, { id: bench.alice.id, email: bench.alice.email }],
    )
  })

  it('restores a version and makes a version of the replaced content', async () => {
    await write('r', 'old')
    await write('r', 'new')
    const { id } = await newest('r')
    const { etag } = (await bench.get('stat', { path: 'r' })).data
    const stale = await bench.post('history/restore', { id, if_match: 'stale' })
    assert.deepEqual(
      [stale.status, stale.error.code, stale.error.message],
      [409, 'conflict', 'path: r has changed in the meantime: read it again. Nothing was changed.'],
    )
    const plan = await bench.post('history/restore?plan=1', { id })
    const diff =
      '--- r\n+++ r\n@@ -1,1 +1,1 @@\n-new\n\\ No newline at end of file\n+old\n\\ No newline at end of file\n'
    assert.deepEqual(
      [plan.data.steps[0].files, readFileSync(bench.at('r'), 'utf8')],
      [[{ path: 'r', diff }], 'new'],
    )
    const { status, data } = await bench.post('history/restore', { id, if_match: etag })
    assert.deepEqual(
      [status, data.path, data.created, readFileSync(bench.at('r'), 'utf8')],
      [200, 'r', false, 'old'],
    )
    const again = await newest('r')
    assert.deepEqual([await content(again), again['replaced_through']], ['new', 'restore'])
    await write('r', 'newer')
    assert.equal((await newest('r'))['written_through'], 'restore')
  })

  it('restores a deleted file together with its parent folders', async () => {
    await bench.post('mkdir', { path: 'd/e', recursive: true })
    await write('d/e/f', 'one')
    await write('d/e/f', 'two')
    await bench.post('delete', { paths: ['d'] })
    const { id } = await newest('d/e/f')
    const { data } = await bench.post('history/restore', { id })
    assert.deepEqual([data.created, readFileSync(bench.at('d/e/f'), 'utf8')], [true, 'one'])
  })

  it('compares a version with another version and with the current file', async () => {
    await write('c.txt', 'a\nb\nc\n')
    await write('c.txt', 'a\nB\nc\n')
    await write('c.txt', 'a\nB\nc\nd\n')
    const [second, first] = await versions('c.txt')
    const now = await bench.get('history/diff', { from: String(first!.id) })
    assert.deepEqual(now.data, {
      diff: '--- c.txt\n+++ c.txt\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n c\n+d\n',
      is_binary: false,
      is_equal: false,
      is_cut: false,
      from_size_bytes: 6,
      to_size_bytes: 8,
    })
    const between = await bench.get('history/diff', { from: String(first!.id), to: String(second!.id) })
    assert.match(between.data.diff, /-b\n\+B\n c\n$/)
    await bench.post('write', { path: 'c.txt', content: 'AAEC', encoding: 'base64' })
    assert.deepEqual((await bench.get('history/diff', { from: String(first!.id) })).data.is_binary, true)
    rmSync(bench.at('c.txt'))
    const gone = await bench.get('history/diff', { from: String(first!.id) })
    assert.deepEqual([gone.data.to_size_bytes, /^\+\+\+ \/dev\/null$/m.test(gone.data.diff)], [null, true])
  })

  it('limits the number of lines in a comparison', async () => {
    const lines = '\n'.repeat(100_001)
    await write('lines', 'x\n')
    await write('lines', lines)
    await write('lines', 'y\n')
    const { status, error } = await bench.get('history/diff', { from: String((await newest('lines')).id) })
    assert.deepEqual(
      [status, error.message],
      [413, 'from: lines has 100001 lines, more than the limit of 100000 for a comparison'],
    )
  })

  it('downloads a version byte for byte', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 128])
    await bench.post('write', { path: 'bin', content: bytes.toString('base64'), encoding: 'base64' })
    await write('bin', '')
    const { id } = await newest('bin')
    const url = `/api/filemanager/history/download?username=alice&id=${id}`
    const { statusCode, headers, rawPayload } = await bench.panel.app.inject({
      url,
      headers: { authorization: `Bearer ${bench.alice.token}` },
    })
    assert.deepEqual(
      [statusCode, headers['content-type'], rawPayload],
      [200, 'application/octet-stream', bytes],
    )
    assert.match(String(headers['content-disposition']), /^attachment; filename="?bin/)
    const part = await bench.panel.app.inject({
      url,
      headers: { authorization: `Bearer ${bench.alice.token}`, range: 'bytes=1-2' },
    })
    assert.deepEqual(
      [part.statusCode, part.headers['content-range'], part.rawPayload],
      [206, 'bytes 1-2/5', bytes.subarray(1, 3)],
    )
    await write('bin', 'x')
    const empty = await bench.get('history/download', { id: String((await newest('bin')).id) })
    assert.deepEqual([empty.status, empty.text], [200, ''])
  })

  it('follows files and folders that the panel moves, and keeps the contents that they overwrite', async () => {
    await bench.post('mkdir', { path: 'm' })
    for (const text of ['one', 'two']) await write('m/x', text)
    await write('onto', 'below')
    await bench.post('rename', { path: 'm', new_name: 'n' })
    assert.equal(await content(await newest('n/x')), 'one')
    await bench.post('move', { src_path: 'n/x', dst_path: 'onto', overwrite: true })
    const found = await versions('onto')
    assert.deepEqual(
      [await content(found[0]!), await content(found[1]!), found[0]!['replaced_through']],
      ['below', 'one', 'move'],
    )
    await write('onto', 'three')
    assert.deepEqual(
      [(await newest('onto'))['written_by'], await versions('n/x')],
      [{ id: bench.alice.id, email: bench.alice.email }, []],
    )
    await bench.post('move', { src_path: '/onto', dst_path: '/n' })
    assert.equal((await versions('n/onto')).length, 3)
    await bench.post('copy', { src_path: 'n/onto', dst_path: 'a.txt', overwrite: true })
    assert.deepEqual(
      [await content(await newest('a.txt')), (await newest('a.txt'))['replaced_through']],
      ['three', 'copy'],
    )
  })

  it('preserves names that are not UTF-8', async () => {
    const path_b64 = base64('k\xe4se')
    for (const text of ['one', 'two']) await bench.post('write', { path_b64, content: text })
    const { items } = (await bench.get('history', { path_b64 })).data
    assert.deepEqual([items.length, items[0].path, items[0].path_b64], [1, 'k\ufffdse', path_b64])
    const { data } = await bench.post('history/restore', { id: items[0].id })
    assert.deepEqual(
      [
        data.path_b64,
        readFileSync(
          Buffer.concat([Buffer.from(bench.at('x').slice(0, -1)), Buffer.from('k\xe4se', 'latin1')]),
          'utf8',
        ),
      ],
      [path_b64, 'one'],
    )
  })

  it('lists all versions by path, deletes those of a folder or all, and reports the freed bytes', async () => {
    await bench.post('mkdir', { path: 'z' })
    for (const text of ['red', 'green', 'blue']) await write('z/a%', text)
    for (const text of ['one', 'other']) await write('z0', text)
    const all = async (query: Record<string, string> = {}) => (await bench.get('history/all', query)).data
    assert.deepEqual(
      (await all({ search: 'z/a%' })).items.map((item: Item) => item['path']),
      ['z/a%', 'z/a%'],
    )
    const { total } = await all()
    const cleared = await bench.post('history/clear', { path: 'z' })
    assert.deepEqual([cleared.status, cleared.data.versions, (await all()).total], [200, 2, total - 2])
    assert.ok(cleared.data.freed_bytes > 0)
    assert.equal((await versions('z0')).length, 1)
    assert.equal((await bench.post('history/clear', { all: true })).data.versions, total - 2)
    assert.deepEqual(await all(), { items: [], total: 0, page: 1, per_page: 50 })
    assert.deepEqual((await bench.post('history/clear', { all: true })).data, { versions: 0, freed_bytes: 0 })
  })

  it('rejects requests without a path or id, and answers 404 for missing files and versions', async () => {
    for (const [verb, query, field] of [
      ['history', {}, 'path'],
      ['history', { path: '../x' }, 'path'],
      ['history/content', {}, 'id'],
      ['history/content', { id: '0' }, 'id'],
      ['history/download', { id: 'x' }, 'id'],
      ['history/diff', {}, 'from'],
    ] as const) {
      const { status, error } = await bench.get(verb, query)
      assert.deepEqual([status, error.code, error.message.split(':')[0]], [400, 'bad_request', field], verb)
    }
    for (const body of [{}, { path: '/' }, { path: '' }, { path: 'a', all: true }])
      assert.equal((await bench.post('history/clear', body)).status, 400)
    for (const verb of ['history/content', 'history/download'])
      assert.equal((await bench.get(verb, { id: '999999' })).error.code, 'not_found', verb)
    assert.match((await bench.get('history/diff', { from: '999999' })).error.message, /^from: /)
    assert.deepEqual((await bench.post('history/restore', { id: 999_999 })).status, 404)
  })
})
