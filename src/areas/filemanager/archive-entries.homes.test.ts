import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { type FilesBench, openFilesBench } from './testing/files-bench.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids'

const script = `umask 022; mkdir -p site/deep; printf '<h1>' > site/index.html; head -c 70000 /dev/zero > site/deep/zeros
  ln -s index.html site/link; touch -d 2026-01-02T03:04:05Z site/index.html; touch "$(printf 'site/odd\\377')"
  chown -R --reference=. site; tar -cf odd.tar site; tar -cf first.tar -P ../outside; tar -cf later.tar -P site/index.html ../outside
  head -c 80000000 /dev/zero > big; tar -cf - big | gzip > bomb.tar.gz; rm big; rm site/odd*; 7zz a -bso0 -bsp0 -psecret locked.zip site
  echo text > note.zip; mkdir many; cd many; seq 6000 | xargs touch; cd ..; tar -cf many.tar many; rm -r many; chown --reference=. *.zip *.tar *.gz`

describe('the entries of an archive', { skip }, () => {
  let bench: FilesBench
  before(async () => {
    bench = await openFilesBench()
    writeFileSync(bench.at('..', 'outside'), 'outside')
    execFileSync('sh', ['-ec', script], { cwd: bench.at() })
    for (const name of endings) await bench.post('compress', { paths: ['site'], archive_name: `site${name}` })
  })
  after(() => bench.remove())
  const endings = ['.zip', '.7z', '.tar', '.tar.gz', '.tar.zst', '.tar.xz']
  const list = (path: string, query = {}) => bench.get('archive', { path, ...query })
  const refusalOf = async (path: string) => {
    const { status, error } = await list(path)
    assert.deepEqual([status, error.code], [400, 'bad_request'], path)
    return error.message as string
  }

  for (const ending of endings) {
    it(`are listed for ${ending} with their sizes and times, and nothing appears in the home`, async () => {
      const before = readdirSync(bench.at())
      const { status, data } = await list(`site${ending}`)
      assert.equal(status, 200)
      const entries = data.items.map((entry: any) => [entry.path, entry.type, entry.size_bytes])
      assert.deepEqual(
        entries.toSorted(([one]: [string], [other]: [string]) => (one < other ? -1 : 1)),
        [
          ['site', 'folder', 0],
          ['site/deep', 'folder', 0],
          ['site/deep/zeros', 'file', 70_000],
          ['site/index.html', 'file', 4],
          ['site/link', 'link', 0],
        ],
      )
      assert.deepEqual([data.total, data.size_bytes, data.cut_by], [5, 70_004, undefined])
      const page = data.items.find(({ path }: { path: string }) => path === 'site/index.html')
      assert.equal(Date.parse(page.modified_at), Date.parse('2026-01-02T03:04:05Z'))
      assert.deepEqual(readdirSync(bench.at()), before)
    })
  }

  it('carry the bytes of names that are not UTF-8', async () => {
    const { items } = (await list('odd.tar')).data
    assert.ok(
      items.some(
        ({ path_b64 }: { path_b64?: string }) =>
          path_b64 === Buffer.from('site/odd\xff', 'latin1').toString('base64'),
      ),
    )
  })

  it('are counted beyond the first 5000', async () => {
    const { items, total, cut_by } = (await list('many.tar')).data
    assert.deepEqual([items.length, total, cut_by], [5000, 6001, undefined])
  })

  it('end before a name that leads out, and are refused where it comes first', async () => {
    const { items, cut_by } = (await list('later.tar')).data
    assert.deepEqual(
      [items.map(({ path }: { path: string }) => path), cut_by],
      [['site/index.html'], 'a name with .. (../outside)'],
    )
    assert.match(await refusalOf('first.tar'), /a name with \.\./)
  })

  it('end where a bomb unpacks to too much', async () => {
    const { items, cut_by } = (await list('bomb.tar.gz')).data
    assert.deepEqual([items.length, cut_by], [1, 'it unpacks to more than 250 times its size'])
    writeFileSync(bench.at('bomb.zip'), zipOf('zeros', deflateRawSync(Buffer.alloc(1000)), 100_000_000))
    assert.equal((await list('bomb.zip')).data.cut_by, 'it unpacks to more than 250 times its size')
    const overlapping = zipOf('zeros', Buffer.alloc(10), 10, 50)
    writeFileSync(bench.at('overlap.zip'), overlapping)
    assert.match(await refusalOf('overlap.zip'), /entries that overlap/)
  })

  it('of a damaged archive are listed up to the damage', async () => {
    const tar = readFileSync(bench.at('site.tar'))
    writeFileSync(
      bench.at('cut.tar.gz'),
      gzipSync(tar.subarray(0, tar.length / 2 - ((tar.length / 2) % 512))),
    )
    const { items, cut_by } = (await list('cut.tar.gz')).data
    assert.ok(items.length > 0)
    assert.match(cut_by, /^it ends in the middle of an entry/)
    for (const [name, reason] of [
      ['site.zip', /not a complete zip archive/],
      ['site.7z', /not a complete 7z archive/],
    ] as const) {
      const bytes = readFileSync(bench.at(name))
      writeFileSync(bench.at(`cut-${name}`), bytes.subarray(0, bytes.length / 2))
      assert.match(await refusalOf(`cut-${name}`), reason)
    }
  })

  it('are refused for an encrypted archive, and for a file that is none', async () => {
    assert.match(await refusalOf('locked.zip'), /encrypted/)
    assert.match(await refusalOf('note.zip'), /^path: note\.zip.*not a tar archive/)
    await refusalOf('site')
    await refusalOf('../outside')
    assert.equal((await list('absent.zip')).status, 404)
  })

  it('are shown to those who may read the files only', async () => {
    assert.equal((await list('site.zip', { username: 'bob' })).status, 403)
    const plain = await bench.panel.person({ permissions: [] })
    const url = '/api/filemanager/archive?username=alice&path=site.zip'
    assert.equal((await bench.panel.request('GET', url, { as: plain })).status, 403)
    assert.equal((await bench.panel.request('GET', url)).status, 401)
  })
})

/** A zip archive of one deflated entry, which declares the given size; with `further` packed bytes that it does not have. */
function zipOf(name: string, packed: Buffer, size: number, further = 0): Buffer {
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50)
  local.writeUInt16LE(8, 8)
  local.writeUInt16LE(name.length, 26)
  const record = Buffer.alloc(46)
  record.writeUInt32LE(0x02014b50)
  record.writeUInt16LE(8, 10)
  record.writeUInt32LE(crc32(packed), 16)
  record.writeUInt32LE(packed.length + further, 20)
  record.writeUInt32LE(size, 24)
  record.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(46 + name.length, 12)
  end.writeUInt32LE(30 + name.length + packed.length, 16)
  return Buffer.concat([local, Buffer.from(name), packed, record, Buffer.from(name), end])
}
