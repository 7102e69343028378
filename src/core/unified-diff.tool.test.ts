import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { run } from '../host/run.ts'
import { unifiedDiff } from './unified-diff.ts'

const lines = (...names: (string | number)[]) => names.map((name) => `${name}\n`).join('')
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

const cases: readonly (readonly [string, string, string])[] = [
  ['a change in the middle', lines(...upTo(20)), lines(...upTo(10), 'new', ...upTo(20).slice(11))],
  ['two changes far apart', lines(...upTo(40)), lines('first', ...upTo(40), 'last')],
  ['two changes close together', lines(...upTo(12)), lines(...upTo(4), 'x', 5, 6, 'y', ...upTo(12).slice(8))],
  ['a text without a last newline', 'a\nb', 'a\nb\n'],
  ['everything replaced', lines('a', 'b', 'c'), lines('d', 'e')],
]

for (const [name, before, after] of cases) {
  test(`patch applies the diff of ${name} and produces the new text`, async (context) => {
    if ((await run(['patch', '--version'])).code !== 0) return context.skip('patch is not installed')
    const directory = await mkdtemp(join(tmpdir(), 'hd-'))
    try {
      await writeFile(join(directory, 'file'), before)
      const { code, stdout } = await run(['patch', '--output=-', '--silent', join(directory, 'file'), '-'], {
        input: unifiedDiff('/f', before, after),
      })
      assert.deepEqual([code, stdout], [0, after])
    } finally {
      await rm(directory, { recursive: true })
    }
  })
}
