import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { described, Manuals, pagesOfPython } from './story/manuals.ts'

/** The content that is packed in each format: the slow ones pack only a part. */
const rounds = [
  { folder: 'python', formats: ['zip', 'tar', 'tar.gz', 'tar.zst'] },
  { folder: `python/${pagesOfPython}/c-api`, formats: ['tar.xz', '7z'] },
] as const

describe('the manual of Python in the home of an owner', () => {
  let manuals: Manuals

  before(async () => {
    manuals = await Manuals.unpack('archives', ['python'])
  })
  after(() => manuals?.host.remove())

  it('comes out of the archive of its Debian package as dpkg unpacks it', () =>
    manuals.assertExtracted('python'))

  for (const { folder, formats } of rounds) {
    const name = folder.split('/').at(-1) as string
    describe(`of which ${name} is packed`, () => {
      let former: readonly string[]
      before(async () => {
        former = await described(manuals.home(folder))
      })

      for (const format of formats)
        it(`comes back from ${format} byte for byte, with modes, times and links (${name})`, async () => {
          const { archive } = await manuals.post('compress', {
            paths: [folder],
            archive_name: `round.${format}`,
          })
          await manuals.post('extract', { archive_path: archive, dst_path: `round-${format}` })
          assert.deepEqual(await described(manuals.home(`round-${format}`, name)), former)
        })
    })
  }

  for (const archive of ['zip', 'tar.gz'] as const) {
    it(`is downloaded as ${archive} without being stored, and holds what lies there`, async () => {
      const answer = await manuals.panel.request(
        'GET',
        `/api/filemanager/download?username=ada&path=python/usr&archive=${archive}`,
        {
          token: manuals.ada.signedIn.token,
          timeoutMs: 120_000,
        },
      )
      assert.deepEqual(
        [answer.status, answer.headers['content-type']],
        [200, archive === 'zip' ? 'application/zip' : 'application/gzip'],
      )
      assert.match(String(answer.headers['content-disposition']), new RegExp(`filename="usr\\.${archive}"`))
      await manuals.ada.signedIn.upload({ username: 'ada', path: '' }, `down.${archive}`, answer.bytes)
      await manuals.post('extract', { archive_path: `down.${archive}`, dst_path: `down-${archive}` })
      assert.deepEqual(
        await described(manuals.home(`down-${archive}`, 'usr')),
        await described(manuals.home('python/usr')),
      )
    })
  }

  it('breaks a download off where a file cannot be read, so that no archive is taken for whole', async () => {
    await manuals.host.must([
      'sh',
      '-c',
      `install -m 600 /dev/null /home/ada/python/${pagesOfPython}/of-root`,
    ])
    for (const archive of ['zip', 'tar.gz']) {
      const asked = manuals.panel.request(
        'GET',
        `/api/filemanager/download?username=ada&path=python&archive=${archive}`,
        {
          token: manuals.ada.signedIn.token,
          timeoutMs: 60_000,
        },
      )
      await assert.rejects(asked, /aborted|hang up|ECONNRESET|closed|premature/i)
    }
    await manuals.host.must(['rm', `/home/ada/python/${pagesOfPython}/of-root`])
  })

  it('is not unpacked by a program that is not installed, which is named', async () => {
    await manuals.host.must(['mv', '/usr/bin/7zz', '/usr/bin/7zz.away'])
    try {
      const packing = await manuals.ada.signedIn.ask('POST', '/api/filemanager/compress', {
        username: 'ada',
        paths: ['python.tar'],
        archive_name: 'x.7z',
      })
      assert.deepEqual([packing.status, packing.code], [500, 'compress_failed'])
      assert.match(packing.message, /7zip is not installed/)
      await manuals.asAda('sh', '-c', "printf '7z\\274\\257\\047\\034rest' >/home/ada/y.7z")
      const unpacking = await manuals.ada.signedIn.ask('POST', '/api/filemanager/extract', {
        username: 'ada',
        archive_path: 'y.7z',
        dst_path: 'y',
      })
      assert.deepEqual([unpacking.status, unpacking.code], [503, 'unavailable'])
      assert.match(unpacking.message, /7zip is not installed/)
    } finally {
      await manuals.host.must(['mv', '/usr/bin/7zz.away', '/usr/bin/7zz'])
    }
  })
})
