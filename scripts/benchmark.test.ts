import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MeasuredPart, reportOf } from './benchmark.ts'

const measured: readonly MeasuredPart[] = [
  {
    name: 'backups',
    against: 'tar | gzip',
    versions: [
      ['tar', '--version'],
      ['missing', '--version'],
    ],
    figures: [
      { what: 'a full backup', value: 1.1, unit: 'x', bound: 1.15 },
      { what: 'a restore', value: 1.5, unit: 'x', bound: 1.2, loose: 2, detail: '3 rounds' },
    ],
  },
  {
    name: 'dns',
    against: 'pdnsutil',
    versions: [['tar', '--version']],
    figures: [{ what: 'speed', value: 0.2, unit: 'x', bound: 0.3, isMinimum: true }],
  },
  { name: 'search', against: 'rg', figures: [] },
]
const occasion = {
  isShort: false,
  broken: ['pages', 'mail'],
  at: new Date('2026-11-29T23:00:00.000Z'),
  machine: '2 × Processor, 8 GiB of memory',
  node: 'v24.0.0',
  firstLine: ([program]: readonly [string, ...string[]]) =>
    program === 'tar' ? 'tar (GNU tar) 1.34' : undefined,
}

test('a report has the machine, each figure with its bound, and the programs', () => {
  const text = reportOf(measured, occasion)
  assert.match(text, /^Measured on 2026-11-29 on 2 × Processor, 8 GiB of memory, with Node v24\.0\.0\. /m)
  assert.ok(text.includes('| backups | a full backup | 1.10 x | ≤ 1.15 x | holds | tar \\| gzip |'))
  assert.ok(text.includes('| backups | a restore (3 rounds) | 1.50 x | ≤ 1.20 x | **missed** |'))
  assert.ok(text.includes('| dns | speed | 0.20 x | ≥ 0.30 x | **missed** | pdnsutil |'))
  assert.equal(text.match(/^- tar \(GNU tar\) 1\.34$/gm)?.length, 1, 'each program once')
  assert.match(text, /^Not measured, as a program is missing: search\.$/m)
  assert.match(text, /^Not measured, as they failed: pages, mail\.$/m)
  assert.match(text, /^npm run bench -- backups$/m)
  assert.doesNotMatch(text, /^npm run bench -- search$/m)
})

test('a report of the short form says so, and has its bounds', () => {
  const text = reportOf(measured, { ...occasion, isShort: true, broken: [] })
  assert.match(text, /in the short form/)
  assert.doesNotMatch(text, /as they failed/)
  assert.ok(text.includes('| backups | a restore (3 rounds) | 1.50 x | ≤ 2.00 x | holds |'))
})
