import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import type { Problem } from '../../core/problem.ts'
import { openFiles, type Files } from '../files.ts'
import { run } from '../run.ts'
import { openApply } from './index.ts'
import { isAsWritten, stamped } from './stamp.ts'
import type { Candidate, OwnedTool } from './tool.ts'

let root: string
let files: Files
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ha-'))
  files = openFiles(root)
  await files.makeDirectory('/etc')
})
afterEach(() => rm(root, { recursive: true, force: true }))

const namesIn = async () => (await readdir(join(root, 'etc'))).filter((name) => name !== 'generation')

/** A program that serves its generation file, refuses files that say `bad`, and does not take those that say `stuck`. */
function toyTool(log: string[] = []): OwnedTool {
  let served: string | undefined
  const sees = async (word: string, candidates: readonly Candidate[] = []) => {
    const live = await Promise.all((await files.list('/etc')).map((name) => files.read(`/etc/${name}`)))
    return [...live, ...candidates.map((each) => each.content)].some((content) => content?.includes(word))
  }
  const path = '/etc/generation'
  const parse = (content: string) => content.trim()
  return {
    name: 'toy',
    kind: 'owned',
    directories: ['/etc'],
    checkCommand: ['toy', '--check'],
    isServed: async () => true,
    assertAvailable: async () => {},
    check: async (candidates) => {
      log.push('check')
      return (await sees('bad', candidates)) ? 'line 1: bad' : undefined
    },
    activate: async (generation) => {
      log.push('reload')
      if (await sees('stuck')) return { outcome: 'refused', message: 'stuck at line 1' }
      served = parse((await files.read(path)) ?? '')
      return { outcome: served === generation ? 'live' : 'refused', message: '' }
    },
    generation: { path, render: (generation) => `${generation}\n`, parse, served: async () => served },
  }
}

test('stamps what it writes, and sees an edit by hand', async () => {
  const { apply } = openApply(files)
  await apply(toyTool(), [{ path: '/etc/a', content: 'one\n' }])
  const live = (await files.read('/etc/a')) ?? ''
  assert.equal(live, stamped('one\n'))
  assert.ok(isAsWritten(live))
  assert.ok(!isAsWritten(live.replace('one', 'two')))
})

test('writes several files of one edit, or none of them', async () => {
  const { apply } = openApply(files)
  const tool = toyTool()
  await assert.rejects(
    apply(tool, [
      { path: '/etc/a', content: 'fine' },
      { path: '/etc/b', content: 'bad' },
    ]),
    { message: 'line 1: bad' },
  )
  assert.deepEqual(await namesIn(), [])
  await apply(tool, [
    { path: '/etc/a', content: 'fine' },
    { path: '/etc/b', content: 'fine' },
  ])
  await assert.rejects(
    apply(tool, [
      { path: '/etc/a', content: null },
      { path: '/etc/b', content: 'stuck' },
    ]),
    { message: /stuck at line 1/ },
  )
  assert.deepEqual(await namesIn(), ['a', 'b'])
  assert.equal(await files.read('/etc/b'), stamped('fine'))
})

test('composes edits of one file that wait together, and does not let a later one hide a bad one', async () => {
  const { apply } = openApply(files)
  const log: string[] = []
  const tool = toyTool(log)
  const settled = await Promise.allSettled(
    ['one', 'bad', 'three'].map((content) => apply(tool, [{ path: '/etc/a', content }])),
  )
  assert.deepEqual(
    settled.map((each) => each.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.equal(await files.read('/etc/a'), stamped('three'))
  assert.equal(log.filter((each) => each === 'reload').length, 1)
})

test('checks fifty good edits once and reloads once', async () => {
  const { apply } = openApply(files)
  const log: string[] = []
  const tool = toyTool(log)
  await Promise.all(
    Array.from({ length: 50 }, (_, n) => apply(tool, [{ path: `/etc/${n}`, content: String(n) }])),
  )
  assert.deepEqual(log, ['check', 'reload'])
})

test('refuses to remove a file edited by hand, and shows it', async () => {
  const { apply } = openApply(files)
  const tool = toyTool()
  await writeFile(join(root, 'etc/a'), 'by hand\n')
  await assert.rejects(apply(tool, [{ path: '/etc/a', content: null }]), (error: Problem) => {
    assert.equal(error.fields['diff'], '--- /etc/a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-by hand\n')
    return error.kind.code === 'edited_by_hand'
  })
  await apply(tool, [{ path: '/etc/a', content: null }], { overwrite: true })
  assert.deepEqual(await namesIn(), [])
})

test('loads what lies on the disk when the program serves something older, and cleans up', async () => {
  const { apply, reconcile } = openApply(files)
  const log: string[] = []
  const tool = toyTool(log)
  await apply(tool, [{ path: '/etc/a', content: 'one' }])
  log.length = 0
  await reconcile(tool)
  assert.deepEqual(log, [])
  await files.prepare('/etc/a', 'left')
  await files.write('/etc/generation', 'another\n')
  await reconcile(tool)
  assert.deepEqual([log, await namesIn()], [['reload'], ['a']])
})

test(
  'names a full disk and changes nothing',
  { skip: process.getuid?.() !== 0 && 'needs root to make a small disk' },
  async () => {
    const { apply } = openApply(files)
    const tool = toyTool()
    const mounted = await run(['mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', join(root, 'etc')])
    assert.equal(mounted.code, 0, mounted.stderr)
    try {
      await apply(tool, [{ path: '/etc/a', content: 'one' }])
      await assert.rejects(
        apply(tool, [{ path: '/etc/a', content: 'x'.repeat(100_000) }]),
        (error: Problem) => {
          assert.match(error.message, /no room is left on the disk that holds \/etc/)
          return error.kind.code === 'insufficient_storage'
        },
      )
      assert.equal(await files.read('/etc/a'), stamped('one'))
      assert.deepEqual(await namesIn(), ['a'])
      await apply(tool, [{ path: '/etc/a', content: 'two' }])
    } finally {
      await run(['umount', join(root, 'etc')])
    }
  },
)
