import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { scratchRoot } from '../../../test/support/step-suite.ts'
import { archiveOf } from '../../areas/selfupdate/testing/archive.ts'
import { ArchiveRefused, unpack } from './unpack.ts'

async function unpacked(t: TestContext, bytes: Buffer, isForeign = false): Promise<string> {
  const directory = scratchRoot(t)
  const archive = `${scratchRoot(t)}/archive`
  writeFileSync(archive, bytes)
  await unpack({ archive, directory, signal: AbortSignal.timeout(60_000), isForeign })
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

const long = `${'folder/'.repeat(20)}file`

test('reads long names of an archive that others made, as GNU tar and POSIX tar write them', async (t) => {
  const attributes = `30 mtime=1700000000.123456789\n${long.length + 10} path=${long}\n`
  for (const [type, text] of [
    ['L', `${long}\0`],
    ['x', attributes],
  ] as const) {
    const bytes = archiveOf([
      { name: 'pax_global_header', type: 'g', text: '52 comment=0123456789abcdef0123456789abcdef01234567\n' },
      { name: 'header', type, text },
      { name: long.slice(0, 100), text: 'of the long name' },
      { name: 'short', text: 'of the short one' },
    ])
    const directory = await unpacked(t, bytes, true)
    assert.equal(readFileSync(`${directory}/${long}`, 'utf8'), 'of the long name')
    assert.equal(readFileSync(`${directory}/short`, 'utf8'), 'of the short one')
  }
})

test('leaves out the links of an archive that others made, and refuses long names that lead out', async (t) => {
  const directory = await unpacked(
    t,
    archiveOf([
      { name: 'header', type: 'L', text: `${long}\0` },
      { name: 'a link', type: '2' },
      { name: 'file', text: 'text' },
    ]),
    true,
  )
  assert.deepEqual(readdirSync(directory), ['file'])
  for (const text of ['../out\0', '/etc/out\0', `a/${'../'.repeat(3)}out\0`, 'x'.repeat(20_000)]) {
    const bytes = archiveOf([
      { name: 'header', type: 'L', text },
      { name: 'file', text: 'text' },
    ])
    await assert.rejects(unpacked(t, bytes, true), ArchiveRefused)
  }
  assert.ok(!existsSync('/etc/out'))
})
