import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { putWhole } from './whole-file.ts'

test('a file that could not be written leaves neither itself nor the journal of its store', (t) => {
  const dir = mkdtempSync(`${tmpdir()}/whole-file-`)
  t.after(() => rmSync(dir, { recursive: true }))
  const fails = (temporary: string) => {
    for (const path of [temporary, `${temporary}-journal`]) writeFileSync(path, 'partial')
    throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
  }
  assert.throws(() => putWhole(`${dir}/copy.db`, fails), /full|no room/)
  assert.deepEqual(readdirSync(dir), [])
  putWhole(`${dir}/copy.db`, (temporary) => writeFileSync(temporary, 'whole'))
  assert.deepEqual(readdirSync(dir), ['copy.db'])
})
