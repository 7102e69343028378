import assert from 'node:assert/strict'
import { chmodSync, rmSync, symlinkSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { type FilesBench, openFilesBench } from './testing/files-bench.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids'

describe('the validation of requests to the file manager', { skip }, () => {
  let bench: FilesBench
  before(async () => {
    bench = await openFilesBench()
    for (const path of ['a.txt', 'b.txt', 'shut/x']) {
      if (path.includes('/')) await bench.post('mkdir', { path: 'shut' })
      await bench.post('write', { path, content: 'hello world\n' })
    }
    chmodSync(bench.at('shut'), 0o600)
  })
  after(() => bench.remove())
  const refusal = async (verb: string, body: object) => {
    const { status, error } = await bench.post(verb, body)
    return [status, error?.code, error?.message?.replace(' Nothing was changed.', '').replace(/\.$/, '')]
  }

  for (const [verb, body, expected] of [
    [
      'copy',
      { src_path: 'a.txt', dst_path: 'a.txt/' },
      [500, 'copy_failed', 'dst_path: a.txt/ is not a folder, or is below something that is not a folder'],
    ],
    [
      'move',
      { src_path: 'a.txt', dst_path: 'b.txt/' },
      [400, 'bad_request', 'dst_path: b.txt/ is not a folder, or is below something that is not a folder'],
    ],
    ['copy', { src_path: 'a.txt', dst_path: 'new/' }, [500, 'copy_failed', 'dst_path: new/ does not exist']],
    [
      'copy',
      { src_path: 'a.txt', dst_path: 'shut' },
      [500, 'copy_failed', 'dst_path: shut/a.txt: The owner of the files may not do this'],
    ],
    [
      'move',
      { src_path: 'a.txt', dst_path: 'shut/y' },
      [403, 'forbidden', 'dst_path: shut/y: The owner of the files may not do this'],
    ],
    [
      'extract',
      { archive_path: 'a.tar', dst_path: 'shut/y' },
      [403, 'forbidden', 'dst_path: shut/y: The owner of the files may not do this'],
    ],
    ['chmod', { path: 'x\ny', mode: '644' }, [500, 'chmod_failed', 'path: x\\ny does not exist']],
    [
      'compress',
      { paths: ['a.txt'], archive_name: '.hostreeve-tmp-1.zip' },
      [
        400,
        'bad_request',
        'archive_name: .hostreeve-tmp-1.zip: names with .hostreeve-tmp- and .hostreeve-trash are reserved',
      ],
    ],
    [
      'compress',
      { paths: ['a.txt'], archive_name: 'x.zip\n' },
      [
        400,
        'bad_request',
        'archive_name: x.zip\\n must end in .zip, .7z, .tar, .tar.gz, .tgz, .tar.zst, .tar.xz, .txz',
      ],
    ],
    ['trash/restore', { ids: ['absent'] }, [404, 'not_found', 'ids: absent does not exist']],
    ['trash/empty', { ids: ['../x'] }, [400, 'bad_request', 'ids: ../x: not an id in the trash']],
  ] as const)
    it(`names the field and the path for ${verb} with ${JSON.stringify(body)}`, async () => {
      await bench.post('compress', { paths: ['b.txt'], archive_name: 'a.tar' })
      assert.deepEqual(await refusal(verb, body), expected)
    })

  for (const [verb, field, body] of [
    ['delete', 'paths', { paths: ['a.txt', '/'] }],
    ['move', 'src_path', { src_path: '', dst_path: 'x' }],
    ['copy', 'src_path', { src_path: './', dst_path: 'x' }],
    ['rename', 'path', { path: '/', new_name: 'x' }],
    ['lock', 'path', { path: '' }],
  ] as const)
    it(`rejects ${verb} of the home itself, also as a plan`, async () => {
      for (const request of [verb, `${verb}?plan=1`])
        assert.deepEqual(await refusal(request, body), [
          400,
          'bad_request',
          `${field}: must be a path in the home, not the home itself`,
        ])
    })

  it('reports a path for version control with a newline that is not a folder or is missing', async () => {
    await bench.post('write', { path: 'a\nb', content: 'x' })
    const rejected = async (path: string) => {
      const { status, error } = await bench.get('vcs', { path })
      return [status, error?.code, error?.message]
    }
    assert.deepEqual(await rejected('a\nb'), [400, 'bad_request', 'path: a\\nb: it is not a folder'])
    assert.deepEqual(await rejected('c\nd'), [404, 'not_found', 'path: c\\nd: there is no such folder'])
  })

  it('sends the whole file if If-Range names another version, and the range if it names this one', async () => {
    const download = (ifRange: string) =>
      bench.panel.app.inject({
        url: '/api/filemanager/download?username=alice&path=a.txt',
        headers: { authorization: `Bearer ${bench.alice.token}`, range: 'bytes=6-', 'if-range': ifRange },
      })
    const changed = await download('"another"')
    assert.deepEqual(
      [changed.statusCode, changed.payload, changed.headers['content-range']],
      [200, 'hello world\n', undefined],
    )
    const same = await download(String(changed.headers.etag))
    assert.deepEqual(
      [same.statusCode, same.payload, same.headers['content-range']],
      [206, 'world\n', 'bytes 6-11/12'],
    )
    assert.equal((await download(`W/${changed.headers.etag}`)).statusCode, 200)
  })

  it('answers 304 for a file or version that the caller has, before it reads any range, and leaves nothing open', async () => {
    const ask = (verb: string, headers: object) =>
      bench.panel.app.inject({
        url: `/api/filemanager/${verb}`,
        headers: { authorization: `Bearer ${bench.alice.token}`, ...headers },
      })
    await bench.post('write', { path: 'etag.txt', content: 'one' })
    await bench.post('write', { path: 'etag.txt', content: 'two, longer' })
    const [{ id }] = (await bench.get('history', { path: 'etag.txt' })).data.items
    for (const verb of [
      'download?username=alice&path=etag.txt',
      `history/download?username=alice&id=${id}`,
    ]) {
      const tag = String((await ask(verb, {})).headers.etag)
      for (const more of [
        {},
        { range: 'bytes=1-2' },
        { range: 'bytes=900-' },
        { range: 'bytes=1-', 'if-range': '"other"' },
      ]) {
        const { statusCode, payload, headers } = await ask(verb, {
          'if-none-match': `"other", ${tag}`,
          ...more,
        })
        assert.deepEqual(
          [statusCode, payload, headers.etag, headers['content-range']],
          [304, '', tag, undefined],
          JSON.stringify(more),
        )
      }
      const part = await ask(verb, { 'if-none-match': '"other"', range: 'bytes=1-2' })
      assert.deepEqual([part.statusCode, part.payload.length, part.headers.etag], [206, 2, tag])
      const beyond = await ask(verb, { 'if-none-match': '"other"', range: 'bytes=900-' })
      assert.deepEqual([beyond.statusCode, beyond.json().error.code], [416, 'range_not_satisfiable'])
      assert.equal(beyond.headers['content-range'], `bytes */${beyond.json().error.size_bytes}`)
    }
    assert.equal((await ask('download?username=alice&path=absent', { 'if-none-match': '*' })).statusCode, 400)
  })

  it('sends ranges of the target of a link, and the whole file for an invalid range', async () => {
    await bench.post('write', { path: 'behind.txt', content: '0123456789'.repeat(10) })
    rmSync(bench.at('link'), { force: true })
    symlinkSync('behind.txt', bench.at('link'))
    for (const [range, status, content] of [
      ['bytes=50-59', 206, '0123456789'],
      ['bytes=-5', 206, '56789'],
      ['bytes=95-', 206, '56789'],
      ['bytes=100-', 416, undefined],
      ['bytes=5-2', 200, '0123456789'.repeat(10)],
    ] as const) {
      const url = '/api/filemanager/download?username=alice&path=link'
      const sent = await bench.panel.app.inject({
        url,
        headers: { authorization: `Bearer ${bench.alice.token}`, range },
      })
      assert.deepEqual([sent.statusCode, content && sent.payload], [status, content], range)
    }
  })
})
