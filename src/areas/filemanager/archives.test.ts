import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { type FilesBench, openFilesBench } from './testing.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids'

describe('the file manager packs and unpacks', { skip }, () => {
  let bench: FilesBench
  before(async () => {
    bench = await openFilesBench()
    await bench.post('mkdir', { path: 'site' })
    await bench.post('write', { path: 'site/index.html', content: '<h1>' })
  })
  after(() => bench.remove())

  for (const name of ['s.zip', 's.7z', 's.tar', 's.tar.gz', 's.tar.zst', 's.tar.xz']) {
    it(`makes ${name}, then ${name}.1, and unpacks it`, async () => {
      const { status, data } = await bench.post('compress', { paths: ['site'], archive_name: name })
      assert.deepEqual([status, data.archive], [200, name])
      assert.equal((await bench.post('compress', { paths: ['site'], archive_name: name })).data.archive, `${name}.1`)
      const unpacked = await bench.post('extract', { archive_path: `${name}.1`, dst_path: `out-${name}` })
      assert.deepEqual([unpacked.status, unpacked.data], [200, { files: 2, size_bytes: 4 }])
      assert.equal(readFileSync(bench.at(`out-${name}/site/index.html`), 'utf8'), '<h1>')
    })
  }

  it('answers compress_failed for what is not there, and 400 for names that are none', async () => {
    const absent = await bench.post('compress', { paths: ['site', 'absent'], archive_name: 'x.zip' })
    assert.deepEqual([absent.status, absent.error.code], [500, 'compress_failed'])
    assert.match(absent.error.message, /absent/)
    for (const archive_name of ['a/b.zip', '../b.zip', '', 'plain', 'x.rar', `${'n'.repeat(300)}.zip`, 7]) {
      const { status, error } = await bench.post('compress', { paths: ['site'], archive_name })
      assert.deepEqual([status, error.code, error.message.split(':')[0]], [400, 'bad_request', 'archive_name'], String(archive_name))
    }
    for (const paths of [[], ['../x'], 'site', ['a\0']]) assert.equal((await bench.post('compress', { paths, archive_name: 'x.zip' })).status, 400)
  })

  it('sends a folder as an archive under its own name, and asks for a format where none is named', async () => {
    const url = (query: string) =>
      bench.panel.app.inject({ url: `/api/filemanager/download?username=alice&${query}`, headers: { authorization: `Bearer ${bench.alice.token}` } })
    for (const [archive, type, magic] of [
      ['zip', 'application/zip', 'PK\u0003\u0004'],
      ['tar.gz', 'application/gzip', '\u001f\u008b'],
    ] as const) {
      const { statusCode, headers, rawPayload } = await url(`path=site&archive=${archive}`)
      assert.deepEqual([statusCode, headers['content-type'], headers['accept-ranges']], [200, type, undefined])
      assert.equal(headers['content-disposition'], `attachment; filename="site.${archive}"; filename*=UTF-8''site.${archive}`)
      assert.ok(rawPayload.toString('latin1').startsWith(magic))
      assert.match(String((await url(`path=&archive=${archive}`)).headers['content-disposition']), /"home\./)
    }
    for (const query of [
      'path=site',
      'path=site&archive=rar',
      'path=absent&archive=zip',
      'path=site/index.html&archive=zip',
      'path=..&archive=zip',
    ]) {
      const { statusCode, body } = await url(query)
      assert.deepEqual([statusCode, JSON.parse(body).error.code], [400, 'bad_request'], query)
    }
  })

  it('answers 400 for what is no archive, 404 for what is not there', async () => {
    assert.deepEqual((await bench.post('extract', { archive_path: 'site/index.html', dst_path: 'o' })).status, 400)
    assert.deepEqual((await bench.post('extract', { archive_path: 'absent', dst_path: 'o' })).status, 404)
  })
})
