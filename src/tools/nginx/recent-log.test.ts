import assert from 'node:assert/strict'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { scratchRoot } from '../../../test/support/step-suite.ts'
import { openRecentLog, type RecentLimits } from './recent-log.ts'

const many = 2 ** 30

async function read(path: string, limits: Partial<RecentLimits>) {
  const log = await openRecentLog(path, { lines: many, bytes: many, ...limits })
  const lines: string[] = []
  for await (const part of log.parts(new AbortController().signal)) lines.push(...part.lines)
  await log.close()
  return { lines, cutBy: log.cutBy }
}

async function logs(t: TestContext, live: string, rotated?: string): Promise<string> {
  const path = join(scratchRoot(t), 'access.log')
  await writeFile(path, live)
  if (rotated !== undefined) await writeFile(`${path}.1`, rotated)
  return path
}

test('reads the last lines, also from the log that was rotated last', async (t) => {
  const path = await logs(t, 'c\nd\n', 'a\nb\n')
  assert.deepEqual(await read(path, {}), { lines: ['a', 'b', 'c', 'd'], cutBy: null })
  assert.deepEqual(await read(path, { lines: 4 }), { lines: ['a', 'b', 'c', 'd'], cutBy: null })
  assert.deepEqual(await read(path, { lines: 3 }), { lines: ['b', 'c', 'd'], cutBy: 'lines' })
  assert.deepEqual(await read(path, { lines: 2 }), { lines: ['c', 'd'], cutBy: 'lines' })
  assert.deepEqual(await read(path, { lines: 1 }), { lines: ['d'], cutBy: 'lines' })
})

test('reads whole lines within a number of bytes', async (t) => {
  const path = await logs(t, 'long line\nshort\n')
  assert.deepEqual(await read(path, { bytes: 8 }), { lines: ['short'], cutBy: 'bytes' })
  assert.deepEqual(await read(path, { bytes: 3 }), { lines: [], cutBy: 'bytes' })
})

test('reads lines across its parts, one character for each byte, and leaves an incomplete one out', async (t) => {
  const lines = Array.from({ length: 9000 }, (_, index) => `${index} ${'é'.repeat(index % 90)}`)
  const path = await logs(t, `${lines.join('\n')}\nincomplete`)
  const asRead = lines.map((line) => Buffer.from(line).toString('latin1'))
  assert.deepEqual(await read(path, {}), { lines: asRead, cutBy: null })
  assert.deepEqual(await read(path, { lines: 4000 }), { lines: asRead.slice(-4000), cutBy: 'lines' })
})

test('has no lines of a log that does not exist, is empty or is a link', async (t) => {
  const nothing = { lines: [], cutBy: null }
  const path = await logs(t, '')
  assert.deepEqual(await read(path, {}), nothing)
  assert.deepEqual(await read(`${path}.none`, {}), nothing)
  await symlink('/etc/passwd', `${path}.link`)
  assert.deepEqual(await read(`${path}.link`, {}), nothing)
})
