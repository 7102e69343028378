import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { type FilesBench, openFilesBench } from './testing/files-bench.ts'
import { until } from '../../../test/support/until.ts'

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
      assert.equal(
        (await bench.post('compress', { paths: ['site'], archive_name: name })).data.archive,
        `${name}.1`,
      )
      const unpacked = await bench.post('extract', { archive_path: `${name}.1`, dst_path: `out-${name}` })
      assert.deepEqual(
        [unpacked.status, unpacked.data],
        [200, { files: 2, size_bytes: 4, replaced: 0, not_kept: 0 }],
      )
      assert.equal(readFileSync(bench.at(`out-${name}/site/index.html`), 'utf8'), '<h1>')
    })
  }

  it('answers compress_failed for missing files, and 400 for invalid names', async () => {
    const absent = await bench.post('compress', { paths: ['site', 'absent'], archive_name: 'x.zip' })
    assert.deepEqual([absent.status, absent.error.code], [500, 'compress_failed'])
    assert.match(absent.error.message, /absent/)
    for (const archive_name of ['a/b.zip', '../b.zip', '', 'plain', 'x.rar', `${'n'.repeat(300)}.zip`, 7]) {
      const { status, error } = await bench.post('compress', { paths: ['site'], archive_name })
      assert.deepEqual(
        [status, error.code, error.message.split(':')[0]],
        [400, 'bad_request', 'archive_name'],
        String(archive_name),
      )
    }
    for (const paths of [[], ['../x'], 'site', ['a\0']])
      assert.equal((await bench.post('compress', { paths, archive_name: 'x.zip' })).status, 400)
  })

  it('names a pipe or unreadable file that it cannot pack, and packs a path named twice only once', async () => {
    execFileSync(
      'sh',
      [
        '-ec',
        'mkdir odd; mkfifo odd/pipe; echo secret >odd/secret; chmod 000 odd/secret; chown -R --reference=. odd',
      ],
      {
        cwd: bench.at(),
      },
    )
    for (const archive_name of ['odd.zip', 'odd.7z', 'odd.tar.gz']) {
      const pipe = await bench.post('compress', { paths: ['odd/pipe'], archive_name })
      assert.deepEqual([pipe.status, pipe.error.code], [500, 'compress_failed'])
      assert.match(pipe.error.message, /^paths: odd\/pipe is neither a file nor a folder\b/)
      const secret = await bench.post('compress', { paths: ['site', 'odd'], archive_name })
      assert.match(secret.error.message, /^paths: odd\/secret: it cannot be read\b/)
      const twice = await bench.post('compress', { paths: ['site', 'site/index.html', 'site'], archive_name })
      assert.equal(twice.status, 200)
      assert.equal(
        (await bench.post('extract', { archive_path: twice.data.archive, dst_path: `once-${archive_name}` }))
          .data.files,
        2,
      )
    }
  })

  it('sends a folder as an archive under its own name, and requires a format', async () => {
    const url = (query: string) =>
      bench.panel.app.inject({
        url: `/api/filemanager/download?username=alice&${query}`,
        headers: { authorization: `Bearer ${bench.alice.token}` },
      })
    for (const [archive, type, magic] of [
      ['zip', 'application/zip', 'PK\u0003\u0004'],
      ['tar.gz', 'application/gzip', '\u001f\u008b'],
    ] as const) {
      const { statusCode, headers, rawPayload } = await url(`path=site&archive=${archive}`)
      assert.deepEqual(
        [statusCode, headers['content-type'], headers['accept-ranges']],
        [200, type, undefined],
      )
      assert.equal(
        headers['content-disposition'],
        `attachment; filename="site.${archive}"; filename*=UTF-8''site.${archive}`,
      )
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

  const stateOf = async (id: number) =>
    (await bench.panel.request('GET', `/api/jobs/${id}`, { as: bench.alice })).data
  const jobWhere = (id: number, isTrue: (job: any) => boolean) =>
    until(
      async () => {
        const found = await stateOf(id)
        return isTrue(found) && found
      },
      { limitMs: 60_000, everyMs: 50 },
    )
  const ended = (id: number) => jobWhere(id, ({ state }) => !['queued', 'running'].includes(state))

  it('packs and unpacks in jobs that report their result', async () => {
    const packing = await bench.post('compress/job', { paths: ['site'], archive_name: 'job.zip' })
    assert.equal(packing.status, 202)
    const packed = await ended(packing.data.job_id)
    assert.deepEqual([packed.state, packed.result?.archive], ['succeeded', 'job.zip'])
    const unpacked = await ended(
      (await bench.post('extract/job', { archive_path: 'job.zip', dst_path: 'from-job' })).data.job_id,
    )
    assert.deepEqual(
      [unpacked.state, unpacked.result],
      ['succeeded', { files: 2, size_bytes: 4, replaced: 0, not_kept: 0 }],
    )
    const failed = await ended(
      (await bench.post('extract/job', { archive_path: 'site/index.html', dst_path: 'x' })).data.job_id,
    )
    assert.deepEqual(
      [failed.state, failed.error.startsWith('archive_path: ')],
      ['failed', true],
      failed.error,
    )
    assert.equal((await bench.post('compress/job', { paths: ['site'], archive_name: 'x.rar' })).status, 400)
    assert.equal(
      (await bench.post('extract/job', { username: 'bob', archive_path: 'a', dst_path: 'b' })).status,
      403,
    )
  })

  it('shows the progress of a job, and leaves nothing of a cancelled one', async () => {
    execFileSync('sh', ['-c', 'head -c 300000000 /dev/urandom > big; chown --reference=. big'], {
      cwd: bench.at(),
    })
    const id = (await bench.post('compress/job', { paths: ['big'], archive_name: 'big.tar.xz' })).data.job_id
    await jobWhere(id, ({ percent }) => percent > 0)
    assert.equal(
      (await bench.panel.request('POST', `/api/jobs/${id}/cancel`, { as: bench.alice })).status,
      200,
    )
    assert.equal((await ended(id)).state, 'cancelled')
    assert.deepEqual(
      readdirSync(bench.at()).filter((name) => name.startsWith('big') || name.startsWith('.hostreeve-tmp')),
      ['big'],
    )
  })

  it('answers 400 for a file that is not an archive, and 404 for a missing file', async () => {
    assert.deepEqual(
      (await bench.post('extract', { archive_path: 'site/index.html', dst_path: 'o' })).status,
      400,
    )
    assert.deepEqual((await bench.post('extract', { archive_path: 'absent', dst_path: 'o' })).status, 404)
  })
})
