import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { asOwner, makeBench, skip, type Bench } from './testing/homes.ts'

describe('a home with another file system in it', { skip }, () => {
  let bench: Bench
  before(() => {
    bench = makeBench()
    const { uid, gid } = bench.alice
    mkdirSync(at('disk'))
    execFileSync('mount', [
      '-t',
      'tmpfs',
      '-o',
      `size=8m,uid=${uid},gid=${gid},mode=755`,
      'other',
      at('disk'),
    ])
  })
  after(async () => {
    root('chattr -R -f -i "$0"; umount "$0/disk"')
    await bench.remove()
  })
  beforeEach(() => {
    root(
      'chattr -R -f -i "$0"; mount -o remount,rw "$0/disk"; find "$0" -mindepth 1 -not -path "$0/disk" -delete',
    )
    root(
      'mkdir -p "$0/disk/album/a" "$0/disk/album/z"; echo 1 >"$0/disk/album/a/one"; echo 3 >"$0/disk/album/z/three"; chown -R "$1" "$0/disk/album"',
    )
  })
  const at = (...parts: string[]) => join(bench.alice.home, ...parts)
  const root = (script: string) =>
    execFileSync('sh', ['-c', `${script}; true`, bench.alice.home, String(bench.alice.uid)], {
      stdio: 'ignore',
    })
  const own = () => bench.owners.of(bench.alice)
  const said = async (work: Promise<unknown>) =>
    work.then(
      () => assert.fail('it worked'),
      (error: Problem) => [error.message, error.fields['is_partial'] === true],
    )
  const files = (folder: string) => readdirSync(at(folder), { recursive: true, encoding: 'utf8' }).toSorted()
  const whole = ['a', 'a/one', 'z', 'z/three']

  it('moves entries to the trash and restores them, also in folders without access for their owner', async () => {
    asOwner(bench.alice, 'chmod', '555', 'disk/album/z')
    await own().remove(['disk/album'], { trash: true })
    const { items } = await own().trash.list()
    assert.deepEqual([items.map(({ path }) => path), existsSync(at('disk/album'))], [['disk/album'], false])
    await own().trash.restore(items.map(({ id }) => id))
    assert.deepEqual([files('disk/album'), (await own().trash.list()).total], [whole, 0])
  })

  it('moves there and away', async () => {
    await own().move('disk/album', 'album')
    assert.deepEqual([files('album'), files('disk')], [whole, []])
    await own().move('album', 'disk/back')
    assert.deepEqual([files('disk/back'), readdirSync(at())], [whole, ['disk']])
  })

  it('neither moves nor trashes a folder that it could not remove: with a locked entry, or on a read-only file system', async () => {
    root('chattr +i "$0/disk/album/z/three"')
    const isLocked = flagsOf(at('disk/album/z/three')).includes('i')
    if (isLocked) {
      const locked = ['disk/album/z/three: it is locked: unlock it first', false]
      assert.deepEqual(await said(own().move('disk/album', 'album')), locked)
      assert.deepEqual(await said(own().remove(['disk/album'], { trash: true })), locked)
    }
    root('chattr -i "$0/disk/album/z/three"; mount -o remount,ro "$0/disk"')
    const readOnly = [/^disk(\/album)?: the file system is read-only$/, false] as const
    for (const work of [
      () => own().move('disk/album', 'album'),
      () => own().remove(['disk/album'], { trash: true }),
    ]) {
      const [expected, isPartial] = await said(work())
      assert.match(String(expected), readOnly[0])
      assert.equal(isPartial, false)
    }
    assert.deepEqual(
      [
        files('disk/album'),
        readdirSync(at()).filter((name) => !name.startsWith('.')),
        (await own().trash.list()).total,
      ],
      [whole, ['disk'], 0],
    )
  })

  it('does not remove, rename or trash the mount point, nor anything in it first', async () => {
    const mounted = /^disk: another file system is mounted there$/
    for (const work of [
      () => own().remove(['disk'], { recursive: true }),
      () => own().remove(['disk'], { trash: true }),
      () => own().move('disk', 'elsewhere'),
    ]) {
      const [expected, isPartial] = await said(work())
      assert.match(String(expected), mounted)
      assert.equal(isPartial, false)
    }
    assert.equal(readFileSync(at('disk/album/a/one'), 'utf8'), '1\n')
  })
})

function flagsOf(path: string): string {
  try {
    return (
      execFileSync('lsattr', [path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split(
        ' ',
      )[0] ?? ''
    )
  } catch {
    return ''
  }
}
