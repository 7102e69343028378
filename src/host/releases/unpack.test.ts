import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { scratchRoot } from '../../../test/support/step-suite.ts'
import { archiveOf } from '../../areas/selfupdate/testing/archive.ts'
import { ArchiveRefused, unpack } from './unpack.ts'

async function unpacked(t: TestContext, bytes: Buffer): Promise<string> {
  const directory = scratchRoot(t)
  const archive = `${scratchRoot(t)}/archive`
  writeFileSync(archive, bytes)
  await unpack({ archive, directory, signal: AbortSignal.timeout(60_000) })
  return directory
}

test('unpacks files into folders', async (t) => {
  const directory = await unpacked(
    t,
    archiveOf([
      { name: './dist/', type: '5' },
      { name: './dist/a.mjs', text: 'x'.repeat(70_000) },
    ]),
  )
  assert.equal(readFileSync(`${directory}/dist/a.mjs`, 'utf8').length, 70_000)
  assert.equal(statSync(`${directory}/dist/a.mjs`).mode & 0o777, 0o644)
})

test('refuses paths that lead out, links, further headers and damaged archives', async (t) => {
  const good = archiveOf([{ name: 'a', text: 'text' }])
  const hostile = [
    archiveOf([{ name: '../a', text: 'x' }]),
    archiveOf([{ name: '/etc/a', text: 'x' }]),
    archiveOf([{ name: 'dist/../../a', text: 'x' }]),
    ...['1', '2', '3', 'x', 'L'].map((type) => archiveOf([{ name: 'a', type }])),
    good.subarray(0, good.length - 20),
    Buffer.from('no archive'),
  ]
  for (const bytes of hostile) await assert.rejects(unpacked(t, bytes), ArchiveRefused)
})
