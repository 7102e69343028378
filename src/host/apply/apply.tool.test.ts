import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import type { Problem } from '../../core/problem.ts'
import { openFiles, type Files } from '../files.ts'
import { run } from '../run.ts'
import { openApply } from './index.ts'
import { stamped } from './stamp.ts'
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

test(
  'names a full disk and changes nothing',
  { skip: process.getuid?.() !== 0 && 'needs root to make a small disk' },
  async () => {
    const { apply } = openApply(files)
    const tool = toyTool(files)
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
