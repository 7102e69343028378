import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Previewing } from './owner.ts'
import { asOwner, type Bench, makeBench, skip } from './testing/homes.ts'

describe('work that is only previewed', { skip }, () => {
  let bench: Bench
  before(() => {
    bench = makeBench()
    asOwner(bench.alice, 'sh', '-c', 'mkdir d && echo 12345 >d/a && tar -cf a.tar d')
  })
  after(() => bench.remove())
  const preview = (work: (owner: Previewing) => Promise<unknown>) =>
    bench.owners.of(bench.alice).preview(work)

  it('tells what its first change would do, and goes no further', async () => {
    let further = false
    const seen = await preview(async (owner) => {
      assert.equal((await owner.stat('d/a')).size_bytes, 6) // reading is answered
      await owner.remove(['d'], { recursive: true })
      further = true
    })
    assert.deepEqual([seen, further], [{ entries: 2, bytes: 6, isCut: false, paths: ['d'] }, false])
    assert.ok(existsSync(join(bench.alice.home, 'd/a')))
  })

  it('fails as the work would', async () => {
    const work = (owner: Previewing) =>
      owner.move({ field: 'from', path: 'absent' }, { field: 'to', path: 'x' })
    const failure = await preview(work).catch((error: unknown) => error)
    assert.deepEqual(failure, await work(bench.owners.of(bench.alice)).catch((error: unknown) => error))
    assert.ok(failure instanceof Error)
  })

  it('never carries out what cannot be previewed', async () => {
    const was = readdirSync(bench.alice.home, { recursive: true }).map(String)
    await assert.rejects(
      preview((owner) => owner.archives.extract('a.tar', 'new')),
      /extract cannot be previewed/,
    )
    await assert.rejects(
      preview((owner) => owner.uploads.of('u', 'x').append(Buffer.from('x'), { offset: 0, maxBytes: 1 })),
      /upload cannot be previewed/,
    )
    await assert.rejects(
      preview((owner) => owner.lock('d/a', true)),
      /cannot be previewed/,
    )
    await assert.rejects(
      preview((owner) => owner.stat('d')),
      /nothing that can be previewed/,
    )
    assert.deepEqual(readdirSync(bench.alice.home, { recursive: true }).map(String), was)
    assert.equal((await bench.owners.of(bench.alice).stat('d/a')).is_locked, false)
  })
})
