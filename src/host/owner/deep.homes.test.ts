import assert from 'node:assert/strict'
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { AlreadyThere, NoSuchFile, NotAFolder } from './problems.ts'
import { asOwner, confinedPids, makeBench, skip, type Bench } from './testing/homes.ts'

// Deeper than a path can say: each step is a folder of 250 letters.
const deepTree = 'my $n = "d" x 250; for (1..40) { mkdir $n; chdir $n } open F, ">needle"'
const top = 'd'.repeat(250)

describe('names and trees at their limits', { skip }, () => {
  let bench: Bench
  const own = () => bench.owners.of(bench.alice)
  const at = (path: string) => join(bench.alice.home, path)
  const makeDeep = () => void asOwner(bench.alice, 'perl', '-e', deepTree)

  before(() => {
    bench = makeBench()
  })
  after(() => bench.remove())

  it('keep the helper alive if every byte of the longest path is a control character', async () => {
    const path = Array.from({ length: 16 }, () => '\x01'.repeat(240)).join('/')
    await assert.rejects(own().stat(path), (error) => error instanceof Problem && error.kind === NoSuchFile)
    symlinkSync('\x01'.repeat(4000), at('link'))
    const [pid] = confinedPids(bench.alice.uid)
    assert.equal((await own().stat('link')).link_target, '\x01'.repeat(4000))
    assert.deepEqual(confinedPids(bench.alice.uid), [pid])
    assert.equal(bench.owners.counts().refused, 0)
  })

  it('are searched as far as paths reach', async () => {
    makeDeep()
    const { items } = await own().search('', 'dddd')
    assert.equal(items[0]?.path, top)
    assert.ok(items.length >= 15)
    await own().remove([top], { recursive: true })
  })

  it('are removed whole', async () => {
    makeDeep()
    assert.deepEqual(await own().remove([top], { recursive: true }), { removed: 1 })
    assert.equal(existsSync(at(top)), false)
  })

  it('are removed from the trash, also if folders deny access', async () => {
    makeDeep()
    asOwner(bench.alice, 'chmod', '500', join(top, top))
    await own().remove([top], { recursive: true, trash: true })
    assert.deepEqual(await own().trash.empty(), { changed: 1 })
    assert.deepEqual(
      (await own().list('', { showHidden: true })).items.map(({ name }) => name),
      ['link'],
    )
    assert.equal(asOwner(bench.alice, 'find', '.hostreeve-trash', '-mindepth', '1'), '')
  })

  it('name a non-folder in the path of a new entry', async () => {
    await own().write('file', Buffer.from('x'))
    const dst = { field: 'dst_path', path: 'file/below' }
    const src = { field: 'src_path', path: 'file' }
    for (const work of [() => own().move(src, dst), () => own().copy(src, dst)])
      await assert.rejects(
        work,
        (error) =>
          error instanceof Problem &&
          error.kind === NotAFolder &&
          error.message.startsWith('dst_path: file/below '),
      )
    await assert.rejects(
      own().copy('file', 'link'),
      (error) => error instanceof Problem && error.kind === AlreadyThere,
    )
  })
})
