import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootBare, debPackage, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { must } from './harness/outer.ts'
import { SignedIn } from './story/signed-in.ts'
import type { Owner } from './story/signed-in.ts'

const manual = 'usr/share/doc/python3.11/html'
/** The content that is packed in each format: the slow ones pack only a part. */
const rounds = [
  { folder: 'python', formats: ['zip', 'tar', 'tar.gz', 'tar.zst'] },
  { folder: `python/${manual}/c-api`, formats: ['tar.xz', '7z'] },
] as const

describe('the manuals of Python and Linux in the home of an owner', () => {
  let host: Host
  let panel: Panel
  let ada: Owner
  const home = (...parts: string[]) => join(host.rootPath, 'home/ada', ...parts)
  const post = (verb: string, body: object) =>
    ada.signedIn.must('POST', `/api/filemanager/${verb}`, { username: 'ada', ...body })
  const asAda = (...argv: [string, ...string[]]) =>
    host.must(['setpriv', '--reuid=ada', '--regid=ada', '--clear-groups', '--', ...argv], {
      timeoutMs: 120_000,
    })

  before(async () => {
    host = await bootBare('archives')
    panel = await startPanel(host)
    ada = await (await SignedIn.as(panel)).makeOwner('ada')
    for (const [folder, name] of [
      ['python', 'python3.11-doc'],
      ['linux', 'linux-doc-6.1'],
    ] as const) {
      await must(['dpkg-deb', '-x', await debPackage(name), home(folder)], { timeoutMs: 60_000 })
      await must(
        [
          'sh',
          '-c',
          'dpkg-deb --fsys-tarfile "$1" >"$2"',
          'sh',
          await debPackage(name),
          home(`${folder}.tar`),
        ],
        { timeoutMs: 60_000 },
      )
    }
    await host.must(['sh', '-c', 'chown -R ada:ada /home/ada && chmod u+w -R /home/ada'], {
      timeoutMs: 120_000,
    })
  })
  after(() => host?.remove())

  it('come out of the archives of their Debian packages as dpkg unpacks them', async () => {
    for (const folder of ['python', 'linux']) {
      await post('extract', { archive_path: `${folder}.tar`, dst_path: `from-${folder}` })
      // dpkg makes links last, so that their folders have new times
      const timeless = (lines: readonly string[]) =>
        lines.map((line) => line.replace(/ d (\d+) \d+$/, ' d $1'))
      assert.deepEqual(
        timeless(await described(home(`from-${folder}`))),
        timeless(await described(home(folder))),
      )
    }
  })

  for (const { folder, formats } of rounds) {
    for (const format of formats) {
      it(`come back from ${format} byte for byte, with modes, times and links (${folder.split('/').at(-1)})`, async () => {
        const { archive } = await post('compress', { paths: [folder], archive_name: `round.${format}` })
        await post('extract', { archive_path: archive, dst_path: `round-${format}` })
        const name = folder.split('/').at(-1) as string
        assert.deepEqual(await described(home(`round-${format}`, name)), await described(home(folder)))
      })
    }
  }

  it('are kept in the history where another edition is unpacked over them, and come back from there', async () => {
    const get = (verb: string, query: object) =>
      ada.signedIn.must(
        'GET',
        `/api/filemanager/${verb}?${new URLSearchParams({ username: 'ada', ...query })}`,
      )
    await post('copy', { src_path: `python/${manual}/c-api`, dst_path: 'shelf' })
    const before = await described(home('shelf'))
    const names = (await must(['find', home('shelf'), '-type', 'f', '-printf', '%P\\n'])).stdout
      .split('\n')
      .filter((name) => name !== '')
    await asAda(
      'sh',
      '-c',
      'cd /home/ada && cp -a shelf edition && find edition -type f -exec sed -i "1s/^/second edition /" {} + && tar -cf edition.tar -C edition .',
    )
    const plan = await ada.signedIn.must('POST', '/api/filemanager/extract?plan=1', {
      username: 'ada',
      archive_path: 'edition.tar',
      dst_path: 'shelf',
    })
    assert.match(plan.steps[0].details[1], new RegExp(`^Replaces ${names.length} files: `))
    assert.deepEqual(await described(home('shelf')), before)
    const { replaced, not_kept } = await post('extract', { archive_path: 'edition.tar', dst_path: 'shelf' })
    assert.deepEqual([replaced, not_kept], [names.length, 0])
    assert.deepEqual(await described(home('shelf')), await described(home('edition')))
    for (const name of names) {
      const [version] = (await get('history', { path: `shelf/${name}` })).items
      assert.deepEqual([version.replaced_through, version.is_kept], ['extract', true], name)
      await post('history/restore', { id: version.id })
    }
    await asAda('diff', '-r', '/home/ada/shelf', `/home/ada/python/${manual}/c-api`)
    assert.deepEqual(
      (await post('extract', { archive_path: 'edition.tar', dst_path: 'edition' })).replaced,
      0,
    )
  })

  it('come back through jobs that tell how far they are', async () => {
    const follow = async (verb: string, body: object) => {
      const events = await ada.signedIn.followJob((await post(verb, body)).job_id)
      assert.equal(events.at(-1)?.['state'], 'succeeded', JSON.stringify(events.slice(-3)))
      return events.filter(({ type, percent }) => type === 'progress' && Number(percent) > 0).length
    }
    const seen = [
      await follow('compress/job', { paths: ['linux'], archive_name: 'linux.tar.zst' }),
      await follow('extract/job', { archive_path: 'linux.tar.zst', dst_path: 'back' }),
    ]
    assert.ok(seen[0]! > 0 && seen[1]! > 0, `progress was told ${seen.join(' and ')} times`)
    assert.deepEqual(await described(home('back/linux')), await described(home('linux')))
  })

  for (const archive of ['zip', 'tar.gz'] as const) {
    it(`are downloaded as ${archive} without being stored, and hold what lies there`, async () => {
      const answer = await panel.request(
        'GET',
        `/api/filemanager/download?username=ada&path=python/usr&archive=${archive}`,
        {
          token: ada.signedIn.token,
          timeoutMs: 120_000,
        },
      )
      assert.deepEqual(
        [answer.status, answer.headers['content-type']],
        [200, archive === 'zip' ? 'application/zip' : 'application/gzip'],
      )
      assert.match(String(answer.headers['content-disposition']), new RegExp(`filename="usr\\.${archive}"`))
      await ada.signedIn.upload({ username: 'ada', path: '' }, `down.${archive}`, answer.bytes)
      await post('extract', { archive_path: `down.${archive}`, dst_path: `down-${archive}` })
      assert.deepEqual(await described(home(`down-${archive}`, 'usr')), await described(home('python/usr')))
    })
  }

  it('break a download off where a file cannot be read, so that no archive is taken for whole', async () => {
    await host.must(['sh', '-c', `install -m 600 /dev/null /home/ada/python/${manual}/of-root`])
    for (const archive of ['zip', 'tar.gz']) {
      const asked = panel.request(
        'GET',
        `/api/filemanager/download?username=ada&path=python&archive=${archive}`,
        {
          token: ada.signedIn.token,
          timeoutMs: 60_000,
        },
      )
      await assert.rejects(asked, /aborted|hang up|ECONNRESET|closed|premature/i)
    }
    await host.must(['rm', `/home/ada/python/${manual}/of-root`])
  })

  it('are not unpacked by a program that is not installed, which is named', async () => {
    await host.must(['mv', '/usr/bin/7zz', '/usr/bin/7zz.away'])
    try {
      const packing = await ada.signedIn.ask('POST', '/api/filemanager/compress', {
        username: 'ada',
        paths: ['python.tar'],
        archive_name: 'x.7z',
      })
      assert.deepEqual([packing.status, packing.code], [500, 'compress_failed'])
      assert.match(packing.message, /7zip is not installed/)
      await asAda('sh', '-c', "printf '7z\\274\\257\\047\\034rest' >/home/ada/y.7z")
      const unpacking = await ada.signedIn.ask('POST', '/api/filemanager/extract', {
        username: 'ada',
        archive_path: 'y.7z',
        dst_path: 'y',
      })
      assert.deepEqual([unpacking.status, unpacking.code], [503, 'unavailable'])
      assert.match(unpacking.message, /7zip is not installed/)
    } finally {
      await host.must(['mv', '/usr/bin/7zz.away', '/usr/bin/7zz'])
    }
  })
})

/** Every entry with kind, mode, time and target, and one digest of all bytes. */
async function described(folder: string): Promise<readonly string[]> {
  const listing = await must([
    'find',
    folder,
    '-mindepth',
    '1',
    '-type',
    'l',
    '-printf',
    '%P %l\\n',
    '-o',
    '-mindepth',
    '1',
    '-printf',
    '%P %y %m %Ts\\n',
  ])
  const sums = 'cd "$1" && find . -type f -print0 | sort -z | xargs -0 -r sha256sum >"$2"'
  const files = await must(['sh', '-c', sums, 'sh', folder, `${folder}.sums`], { timeoutMs: 120_000 })
  assert.equal(files.stderr, '')
  const digest = createHash('sha256')
    .update(await readFile(`${folder}.sums`))
    .digest('hex')
  await must(['rm', `${folder}.sums`])
  return [...listing.stdout.split('\n').toSorted(), digest]
}
