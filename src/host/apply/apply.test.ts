import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import type { Problem } from '../../core/problem.ts'
import { openFiles, type Files } from '../files.ts'
import { openApply } from './index.ts'
import { isAsWritten, stamped } from './stamp.ts'
import { toyTool } from './testing/toy-tool.ts'

let root: string
let files: Files
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ha-'))
  files = openFiles(root)
  await files.makeDirectory('/etc')
})
afterEach(() => rm(root, { recursive: true, force: true }))

const namesIn = async () => (await readdir(join(root, 'etc'))).filter((name) => name !== 'generation')

test('stamps the files it writes, and detects an edit by hand', async () => {
  const { apply } = openApply(files)
  await apply(toyTool(files), [{ path: '/etc/a', content: 'one\n' }])
  const live = (await files.read('/etc/a')) ?? ''
  assert.equal(live, stamped('one\n'))
  assert.ok(isAsWritten(live))
  assert.ok(!isAsWritten(live.replace('one', 'two')))
})

test('writes several files of one edit, or none of them', async () => {
  const { apply } = openApply(files)
  const tool = toyTool(files)
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

test('composes waiting edits of one file, and does not let a later one hide a bad one', async () => {
  const { apply } = openApply(files)
  const log: string[] = []
  const tool = toyTool(files, log)
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
  const tool = toyTool(files, log)
  await Promise.all(
    Array.from({ length: 50 }, (_, n) => apply(tool, [{ path: `/etc/${n}`, content: String(n) }])),
  )
  assert.deepEqual(log, ['check', 'reload'])
})

test('refuses to remove a file edited by hand, and shows it', async () => {
  const { apply } = openApply(files)
  const tool = toyTool(files)
  await writeFile(join(root, 'etc/a'), 'by hand\n')
  await assert.rejects(apply(tool, [{ path: '/etc/a', content: null }]), (error: Problem) => {
    assert.equal(error.fields['diff'], '--- /etc/a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-by hand\n')
    return error.kind.code === 'edited_by_hand'
  })
  await apply(tool, [{ path: '/etc/a', content: null }], { overwrite: true })
  assert.deepEqual(await namesIn(), [])
})

test('loads the files on the disk when the program serves an older state, and removes leftovers', async () => {
  const { apply, reconcile } = openApply(files)
  const log: string[] = []
  const tool = toyTool(files, log)
  await apply(tool, [{ path: '/etc/a', content: 'one' }])
  log.length = 0
  await reconcile(tool)
  assert.deepEqual(log, [])
  await files.prepare('/etc/a', 'left')
  await files.write('/etc/generation', 'another\n')
  await reconcile(tool)
  assert.deepEqual([log, await namesIn()], [['reload'], ['a']])
})
