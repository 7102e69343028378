import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { after, afterEach, describe, it } from 'node:test'
import { DiskFull } from '../core/problem.ts'
import { openStore } from './store.ts'

const disk = mkdtempSync('/tmp/hostreeve-small-disk-')
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]).status === 0
const skip = !mounted && 'needs root, to mount a small disk'
const now = new Date('2026-01-02T03:04:05.678Z')
const filler = `${disk}/filler`

/** Leaves this many bytes free on the small disk. */
function leave(roomBytes: number): void {
  rmSync(filler, { force: true })
  writeFileSync(filler, Buffer.alloc(roomBytes), { flag: 'w' })
  const rest = `${filler}-rest`
  assert.throws(() => writeFileSync(rest, Buffer.alloc(2 * 1024 * 1024)), { code: 'ENOSPC' })
  rmSync(filler)
}
const makeRoom = () => rmSync(`${filler}-rest`)
const isDiskFull = (error: Error) => {
  assert.ok('kind' in error && error.kind === DiskFull, String(error.stack))
  assert.match(
    error.message,
    /^no room is left on the disk that holds .*make room and start the panel again$/,
  )
  return true
}

describe('a store on a full disk', { skip }, () => {
  afterEach(() => {
    for (const name of readdirSync(disk)) rmSync(`${disk}/${name}`, { recursive: true })
  })
  after(() => {
    spawnSync('umount', [disk])
    rmSync(disk, { recursive: true })
  })

  it('leaves no partial first start, wherever the disk became full', async () => {
    const migrations = [{ name: '202601010000-crates', statements: ['create table crates (id integer)'] }]
    const refused = []
    for (let rooms = 0; rooms <= 20; rooms++) {
      const dir = `${disk}/first-${rooms}`
      mkdirSync(dir)
      leave(rooms * 4096)
      const open = () => openStore({ dataDir: dir, migrations, now })
      try {
        await (await open()).close()
      } catch (error) {
        isDiskFull(error as Error)
        refused.push(readdirSync(dir).includes('secret.key'))
      }
      makeRoom()
      await (await open()).close()
      rmSync(dir, { recursive: true })
    }
    assert.deepEqual(new Set(refused), new Set([false, true])) // both before and after the key was written
  })

  it('is not writable until there is room, whatever its file has left', async () => {
    const dir = `${disk}/ready`
    mkdirSync(dir)
    const store = await openStore({ dataDir: dir, migrations: [], now })
    await store.assertWritable()
    leave(0)
    await assert.rejects(store.assertWritable(), { kind: DiskFull })
    makeRoom()
    await store.assertWritable()
    await store.close()
  })

  describe('that is to be upgraded', () => {
    const dir = `${disk}/upgrade`
    const migrations = (upgrades: number) =>
      Array.from({ length: upgrades }, (_, day) => ({
        name: `20260101000${day}-crates`,
        statements: [`create table crates_${day} as select zeroblob(200000) as filling`],
      }))
    const open = async (upgrades: number, time = now) =>
      (await openStore({ dataDir: dir, migrations: migrations(upgrades), now: time })).close()
    const copies = () => readdirSync(dir).filter((name) => name.startsWith('before-migration'))
    it('keeps the earlier copy if there is no space for another, and leaves no partial file', async () => {
      await open(1)
      await open(2)
      assert.deepEqual(copies(), ['before-migration-20260102030405678.db'])
      leave(100_000)
      await assert.rejects(open(3, new Date(now.getTime() + 1000)), isDiskFull)
      assert.deepEqual(copies(), ['before-migration-20260102030405678.db'])
    })
  })
})
