import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareFiles, compareTables, findingOf } from './compare.ts'

const files = { entries: 10, bytes: 500, changed: 0 }
const passedOf = (manifest: Parameters<typeof compareFiles>[0], entries: number, bytes: number) =>
  compareFiles(manifest, { entries, bytes }).map(({ passed }) => passed)

test('counts and bytes of restored files must be those of the manifest', () => {
  const manifest = { files, complete: true }
  assert.deepEqual(passedOf(manifest, 10, 500), [true, true])
  assert.deepEqual(passedOf(manifest, 9, 500), [false, true])
  assert.deepEqual(passedOf(manifest, 10, 499), [true, false])
  assert.deepEqual(compareFiles({ files: null, complete: true }, { entries: 0, bytes: 0 }), [])
})

test('files that changed while they were packed, or were left out, have no exact count', () => {
  for (const manifest of [
    { files: { ...files, changed: 1 }, complete: true },
    { files: { entries: 10, bytes: 500 }, complete: true },
    { files, complete: false },
  ]) {
    assert.deepEqual(passedOf(manifest, 9, 501), [true, true])
    assert.deepEqual(passedOf(manifest, 0, 0), [false, false], 'nothing at all is no restore')
  }
  const [check] = compareFiles({ files, complete: false }, { entries: 9, bytes: 1 })
  assert.equal(check?.expected, 'about 10, as the backup is incomplete')
})

test('each table of the manifest must be there, with its rows where they were counted', () => {
  const tables = [
    { name: 'orders', rows: 2 },
    { name: 'sessions', rows: null },
  ]
  const compare = (found: Parameters<typeof compareTables>[1]) =>
    compareTables({ database: 'ada_shop', tables }, found)
  assert.equal(compare(tables).passed, true)
  assert.equal(compare([...tables, { name: 'more', rows: 1 }]).passed, true)
  assert.equal(compare([{ name: 'orders', rows: 2 }]).found, '1 tables; missing: sessions')
  const lost = compare([
    { name: 'orders', rows: 1 },
    { name: 'sessions', rows: 7 },
  ])
  assert.deepEqual([lost.passed, lost.found], [false, '2 tables; orders with 1 rows instead of 2'])
  assert.equal(compareTables({ database: 'ada_shop' }, []).passed, true, 'an older manifest names none')
})

test('the first failed comparison is the finding', () => {
  const check = { subject: 'Files', expected: '2', found: '1' }
  assert.equal(findingOf([{ ...check, passed: true }]), '')
  assert.equal(findingOf([{ ...check, passed: false }]), 'Files: expected 2, found 1')
})
