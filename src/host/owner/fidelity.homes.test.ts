import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chownSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { ArchiveRefused, NotAFile, NotPermitted, PathInvalid } from './problems.ts'
import { asOwner, makeBench, skip, type Bench } from './testing/homes.ts'

const refusing = (kind: unknown, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.match(error.message, message)
  return error.kind === kind
}

const ours = ['x.zip', 'x.7z', 'x.tar', 'x.tar.gz', 'x.tar.zst', 'x.tar.xz']

/** Archives of 40,000 bytes made by xz and 7-Zip, of which the headers then were made to say: a dictionary of 2 GiB, PPMd with 3.25 GiB, a method 7F. */
const muchMemoryXz =
  '/Td6WFoAAATm1rRGAgAhASYAAADV185T4Mf/AIhdADCAM1AYaImDAdzibjbg/qOxVb7tucOc9ZI1otv3L1QRW4Zg5ko4L40xpJAQ+WHQEdoEMQYCjXQzESp6VkJi3lZhYNbq6SJmg+PdeoBk3oIbr/hImJTgCtVzNHK0MiRcPVR9jOfkWI9B8/a7fAl8TH8qnCI99VZLsGk2g8sIqWEYzcMVz71QAAAAR5uKqGhaC0cAAaQBgJADAJ3z30exxGf7AgAAAAAEWVo='
const muchMemory7z =
  'N3q8ryccAATz2HWBFwAAAAAAAABKAAAAAAAAAJcivmkAeJGywGBkAAAAAAAAAAAAAAAAAAAAAAEEBgABCRcABwsBAAEjAwQBBQYAAADQDMBAnAAICgF62WUNAAAFARkEAAAAABEFAGEAAAAUCgEANxEpxOd53QEVBgEAIICkgQAA'
const oddMethod7z =
  'N3q8ryccAARvkoCsUAAAAAAAAABKAAAAAAAAAFbAddTgnD8ASF0APIKr/B3/9//UgQqfdHOE+jARpmmnj5EL5EWkQ73farAWcB5WLQvquCcdmyUCP6j/WnKplaLCxao0GQZ2jHZpZaEuvaqM2gAAAAEEBgABCVAABwsBAAEhfwEHDMBAnAAICgF62WUNAAAFARkKAAAAAAAAAAAAABEFAGEAAAAUCgEANxEpxOd53QEVBgEAIICkgQAA'

describe('a packed and unpacked tree', { skip }, () => {
  let bench: Bench
  before(() => {
    bench = makeBench()
  })
  after(() => bench.remove())
  beforeEach(() => {
    for (const name of readdirSync(bench.alice.home))
      execFileSync('rm', ['-rf', '--', join(bench.alice.home, name)])
  })
  const own = () => bench.owners.of(bench.alice)
  const at = (...parts: string[]) => join(bench.alice.home, ...parts)
  const sh = (script: string) => asOwner(bench.alice, 'sh', '-ec', script)
  const modeOf = (path: string) => (lstatSync(at(path)).mode & 0o7777).toString(8)
  const timeOf = (path: string) => sh(`TZ=UTC stat -c %y ${path}`).trim().replace(' +0000', '')
  /** Makes `name` in the home by a script of root's in a folder of its own. */
  const made = (name: string, script: string) => {
    const work = join(bench.root, 'work')
    execFileSync(
      'sh',
      [
        '-ec',
        'rm -rf "$1"; mkdir "$1"; cd "$1"; eval "$2"; mv "$3" "$4"',
        'sh',
        work,
        script,
        name,
        at(name),
      ],
      { stdio: 'pipe' },
    )
    chownSync(at(name), bench.alice.uid, bench.alice.gid)
  }

  for (const name of ours) {
    it(`keeps its modes, whatever the umask, also those of folders without access for their owner (${name})`, async () => {
      sh(
        'mkdir -p s/shared s/sticky s/closed/deep s/none; echo >s/w; echo >s/g; echo >s/closed/deep/f; echo >s/x',
      )
      sh(
        'chmod 666 s/w; chmod 664 s/g; chmod 400 s/x; chmod 775 s/shared; chmod 1777 s/sticky; chmod 555 s/closed/deep s/closed',
      )
      await own().archives.compress(['s'], name)
      sh('mkdir -p there/s')
      for (const dest of ['out', 'there']) {
        await own().archives.extract(name, dest)
        const modes = ['w', 'g', 'x', 'shared', 'sticky', 'closed', 'closed/deep', 'none'].map((path) =>
          modeOf(`${dest}/s/${path}`),
        )
        assert.deepEqual(modes, ['666', '664', '400', '775', '1777', '555', '555', '755'], dest)
        assert.equal(readFileSync(at(dest, 's/closed/deep/f'), 'utf8'), '\n')
      }
      assert.deepEqual(readdirSync(at()).toSorted(), ['out', 's', 'there', name])
    })

    it(`keeps its times, before 1970 and in fractions of a second (${name})`, async () => {
      const fraction = name.includes('.tar') ? '123456789' : '123456700'
      sh(
        'mkdir -p s; cd s; for n in now old older late; do echo $n >$n; done; touch -d "2021-02-03 04:05:06.123456789Z" now',
      )
      sh(
        'cd s; touch -d "1969-12-31 12:00:00.25Z" old; touch -d "1930-01-02 03:04:05Z" older; touch -d "2100-01-02 03:04:05.5Z" late',
      )
      sh('touch -d "1969-06-07 08:09:10.75Z" s')
      await own().archives.compress(['s'], name)
      await own().archives.extract(name, 'out')
      assert.deepEqual(
        ['now', 'old', 'older', 'late', ''].map((path) => timeOf(`out/s/${path}`)),
        [
          `2021-02-03 04:05:06.${fraction}`,
          '1969-12-31 12:00:00.250000000',
          '1930-01-02 03:04:05.000000000',
          '2100-01-02 03:04:05.500000000',
          '1969-06-07 08:09:10.750000000',
        ],
      )
    })

    it(`is packed once if it is given twice, or is below another given path (${name})`, async () => {
      sh('mkdir -p cs/d "cs x"; echo 1 >cs/a; echo 2 >cs/d/b; echo 3 >"cs x/c"')
      await own().archives.compress(['cs', 'cs/a', 'cs x', 'cs', 'cs/d/', 'cs x/c'], name)
      const { entries } = await own().archives.extract(name, 'out')
      assert.equal(entries, 6)
      assert.equal(
        sh('cd out; find . -mindepth 1 | LC_ALL=C sort'),
        './cs\n./cs x\n./cs x/c\n./cs/a\n./cs/d\n./cs/d/b\n',
      )
    })

    it(`is refused as a path if it is neither file nor folder, and left out in a folder (${name})`, async () => {
      sh(
        'mkdir d; echo 1 >d/f; mkfifo d/fifo; ln d/fifo d/more; head -c 700000 /dev/urandom >d/z; ln d/z d/zz',
      )
      const named = { field: 'paths', path: 'd/fifo' }
      await assert.rejects(
        own().archives.compress([named], name),
        refusing(NotAFile, /^paths: d\/fifo is neither a file nor a folder$/),
      )
      await assert.rejects(own().archives.compress(['d/f', named], name), refusing(NotAFile, /d\/fifo/))
      assert.deepEqual(readdirSync(at()), ['d'])
      await own().archives.compress(['d'], name)
      await own().archives.extract(name, 'out')
      assert.deepEqual(readdirSync(at('out/d')).toSorted(), ['f', 'z', 'zz'])
      sh('cmp d/z out/d/zz')
    })

    it(`is named if it cannot be read (${name})`, async () => {
      sh(
        'mkdir -p s/in/closed; echo 1 >s/a; echo secret >"s/in/top: x"; chmod 000 "s/in/top: x"; echo >s/in/closed/f',
      )
      const paths = [{ field: 'paths', path: 's' }]
      await assert.rejects(
        own().archives.compress(paths, name),
        refusing(NotPermitted, /^paths: s\/in\/top: x: it cannot be read$/),
      )
      sh('chmod 600 s/in/top*; chmod 000 s/in/closed')
      await assert.rejects(
        own().archives.compress(paths, name),
        refusing(NotPermitted, /^paths: s\/in\/closed: it cannot be read$/),
      )
      sh('chmod 700 s/in/closed')
      assert.deepEqual(readdirSync(at()), ['s'])
    })
  }

  it('is refused below a link that is itself packed', async () => {
    sh('mkdir d; echo 1 >d/f; ln -s d l')
    await assert.rejects(
      own().archives.compress(['l', { field: 'paths', path: 'l/f' }], 'x.zip'),
      refusing(PathInvalid, /^paths: l\/f: /),
    )
  })

  it('has no setuid, setgid or sticky files, whoever packed it', async () => {
    made('x.tar', 'echo >f; mkdir d; chmod 7777 f; chmod 7775 d; tar -cf x.tar f d')
    made('x.zip', 'echo >f; mkdir d; chmod 7777 f; chmod 7775 d; zip -qr x.zip f d')
    for (const name of ['x.tar', 'x.zip']) {
      await own().archives.extract(name, `of-${name}`)
      assert.deepEqual([modeOf(`of-${name}/f`), modeOf(`of-${name}/d`)], ['777', '1775'])
    }
  })

  it('keeps the mode of an existing folder, and closes only new folders', async () => {
    sh('mkdir -p s/a/b s/c there/s/a; echo 1 >s/a/b/f; chmod 555 s/a/b s/a s/c')
    await own().archives.compress(['s'], 'x.tar')
    await own().archives.extract('x.tar', 'there')
    assert.deepEqual(
      ['a', 'a/b', 'c'].map((path) => modeOf(`there/s/${path}`)),
      ['755', '555', '555'],
    )
  })

  it('also closes the folders that were moved before a failure', async () => {
    sh('mkdir -p s/a s/m s/z a/s/a z/s/z; for n in a m z; do echo 1 >s/$n/f; done; chmod 555 s/m a/s/a z/s/z')
    await own().archives.compress(['s'], 'x.tar')
    const modes: string[] = []
    for (const stuck of ['a', 'z']) {
      await assert.rejects(
        own().archives.extract('x.tar', stuck),
        refusing(NotPermitted, new RegExp(`^${stuck}/s/${stuck}/f`)),
      )
      assert.equal(modeOf(`${stuck}/s/${stuck}`), '555')
      if (readdirSync(at(stuck, 's')).includes('m')) modes.push(modeOf(`${stuck}/s/m`))
    }
    assert.ok(
      modes.every((mode) => mode === '555'),
      modes.join(),
    )
    assert.deepEqual(readdirSync(at()).toSorted(), ['a', 's', 'x.tar', 'z'])
  })

  for (const format of ['gnu', 'posix'])
    it(`has times before 1970 from a tar of the format ${format}`, async () => {
      made(
        'x.tar',
        `touch -d '1969-12-31 12:00Z' a; touch -d '1905-01-01 00:00:00Z' b; tar --format=${format} -cf x.tar a b`,
      )
      await own().archives.extract('x.tar', 'out')
      assert.deepEqual(
        ['a', 'b'].map((name) => timeOf(`out/${name}`).slice(0, 19)),
        ['1969-12-31 12:00:00', '1905-01-01 00:00:00'],
      )
    })

  it('is restored from zstd with a leading skippable frame, or several frames', async () => {
    made(
      'x.tar.zst',
      'head -c 3000000 /dev/urandom >a; tar -cf x.tar a; pzstd -q -p 2 x.tar -o x.tar.zst; cp a "$(dirname "$4")"',
    )
    made(
      'y.tar.zst',
      `echo a >a; tar -cf y.tar a; head -c 700 y.tar | zstd -qc >y.tar.zst; printf 'S*M\\030\\003\\0\\0\\0abc' >>y.tar.zst; tail -c +701 y.tar | zstd -qc >>y.tar.zst`,
    )
    assert.match(readFileSync(at('x.tar.zst')).toString('latin1', 0, 4), /^P\*M\x18$/)
    await own().archives.extract('x.tar.zst', 'out')
    execFileSync('cmp', [at('a'), at('out/a')])
    await own().archives.extract('y.tar.zst', 'many')
    assert.equal(readFileSync(at('many/a'), 'utf8'), 'a\n')
  })

  it('is restored from tar archives with a label, and of an incremental backup', async () => {
    for (const format of ['gnu', 'posix', 'oldgnu']) {
      made('x.tar', `mkdir d; echo a >d/a; tar --format=${format} -V 'a label' -g snapshot -cf x.tar d`)
      await own().archives.extract('x.tar', format)
      assert.equal(readFileSync(at(format, 'd/a'), 'utf8'), 'a\n')
    }
  })

  const foreign: Record<string, readonly [script: string, message: RegExp]> = {
    'x.tar.bz2': ['tar -cjf x.tar.bz2 a', /bzip2 is not supported/],
    'x.tar.lz4': [`printf '\\004\\042\\115\\030' >x.tar.lz4`, /lz4 is not supported/],
    'x.tar.lzma': ['tar -c a | xz --format=lzma -c >x.tar.lzma', /lzma is not supported/],
    'x.tar.lz': [`printf 'LZIP\\001\\014' >x.tar.lz`, /lzip is not supported/],
    'x.rar': [`printf 'Rar!\\032\\007\\001\\000' >x.rar`, /rar is not supported/],
    'x.tar.Z': [`printf '\\037\\235\\220' >x.tar.Z`, /compress \(.Z\) is not supported/],
    'x.tar.zst': [
      `printf '\\050\\265\\057\\375\\000\\250\\001\\000\\000' >x.tar.zst`,
      /window of more than 128 MiB/,
    ],
    'memory.tar.xz': [`echo ${muchMemoryXz} | base64 -d >memory.tar.xz`, /more than 512 MiB of memory/],
    'memory.7z': [`echo ${muchMemory7z} | base64 -d >memory.7z`, /more memory than the panel/],
    'odd.7z': [`echo ${oddMethod7z} | base64 -d >odd.7z`, /an unsupported compression method/],
    'x.sql.gz': ['echo text | gzip >x.sql.gz', /not a tar archive/],
    'x.txt': ['echo text >x.txt', /not a tar archive/],
    'x.zip': ['zip -q -Z bzip2 x.zip a', /unsupported compression method: bzip2 \(a\)$/],
    'y.zip': ['7zz a -bso0 -bsp0 -mm=Deflate64 y.zip a', /unsupported compression method: Deflate64 \(a\)$/],
    'links.tar': ['mkdir d; ln -s d/../a l; tar -cf links.tar d a l', /a link with \.\. behind a name/],
    'x.tar': [
      'head -c 30000 /dev/urandom >b; tar -c -M -L 20 --file=x.tar --file=y.tar b; mv y.tar x.tar',
      /one of several volumes/,
    ],
  }
  for (const [name, [script, expected]] of Object.entries(foreign))
    it(`is refused with the reason, as ${name}`, async () => {
      made(name, `yes | head -n 500 >a; ${script}`)
      await assert.rejects(own().archives.extract(name, 'out'), refusing(ArchiveRefused, expected))
    })

  it('keeps a link with two names, as two links to the same target', async () => {
    sh('mkdir -p s/d; echo a >s/a; ln -s ../a s/d/l; ln -P s/d/l s/d/m')
    await own().archives.compress(['s'], 'x.tar')
    await own().archives.extract('x.tar', 'out')
    assert.equal(sh('cd out/s/d; readlink l m; cat l m'), '../a\n../a\na\na\n')
  })

  it('is restored from a zip archive that was packed from a pipe', async () => {
    made('x.zip', 'echo dump | zip -q x.zip -')
    await own().archives.extract('x.zip', 'out')
    assert.equal(readFileSync(at('out/-'), 'utf8'), 'dump\n')
  })

  it('has the time of unpacking if a 7z archive contains none', async () => {
    made('x.7z', 'echo a >a; 7zz a -bso0 -bsp0 -mtm=off x.7z a')
    await own().archives.extract('x.7z', 'out')
    assert.equal(timeOf('out/a').slice(0, 4), sh('date -u +%Y').trim())
  })

  it('is recognised as tar whatever its first name begins with', async () => {
    made('x.tar', 'echo a >BZh9; tar -cf x.tar BZh9')
    await own().archives.extract('x.tar', 'out')
    assert.equal(readFileSync(at('out/BZh9'), 'utf8'), 'a\n')
  })

  it('has the times and names of zip archives of Windows and macOS', async () => {
    made('x.zip', `echo ${foreignZip} | base64 -d >x.zip`)
    await own().archives.extract('x.zip', 'out')
    assert.deepEqual(
      ['windows', 'mac', 'käse'].map((name) => timeOf(`out/${name}`)),
      ['2021-02-03 04:05:06.123456700', '1960-02-03 04:05:06.000000000', '2020-01-02 03:04:06.000000000'],
    )
  })
})

/** Base64 of an archive with fields as 7-Zip on Windows, the archiver of macOS and Info-ZIP on DOS write them: a time, one before 1970, a name. */
const foreignZip =
  'UEsDBBQAAAAAAIMYIlCDFtyMAQAAAAEAAAAHACQAd2luZG93cwoAIAAAAAAAAQAYAIebX8Hh+dYBh5tfweH51gGHm1/B4fnWAXhQSwMEFAAAAAAAgxgiUIMW3IwBAAAAAQAAAAMADABt' +
  'YWNVWAgAcsNb7XLDW+14UEsDBBQAAAAAAIMYIlCDFtyMAQAAAAEAAAAEAA4Aa2FzZXVwCgAB67G8vWvDpHNleFBLAQIUABQAAAAAAIMYIlCDFtyMAQAAAAEAAAAHACQAAAAAAAAAAACA' +
  'AQAAAAB3aW5kb3dzCgAgAAAAAAABABgAh5tfweH51gGHm1/B4fnWAYebX8Hh+dYBUEsBAhQDFAAAAAAAgxgiUIMW3IwBAAAAAQAAAAMADAAAAAAAAAAAAIABSgAAAG1hY1VYCAByw1vt' +
  'csNb7VBLAQIUABQAAAAAAIMYIlCDFtyMAQAAAAEAAAAEAA4AAAAAAAAAAACAAXgAAABrYXNldXAKAAHrsby9a8Okc2VQSwUGAAAAAAMAAwDWAAAAqQAAAAAA'
