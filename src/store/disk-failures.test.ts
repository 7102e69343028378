import assert from 'node:assert/strict'
import { it } from 'node:test'
import { DiskFailed, DiskFull, StoreFailed } from '../core/problem.ts'
import { isDiskProblem, sqliteDiskProblem } from './disk-failures.ts'
import { nameUnusable } from './unusable.ts'

const ofSqlite = (errcode: number) =>
  Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode })

for (const [title, errcode, kind, message] of [
  ['SQLITE_FULL', 13, DiskFull, /^no room is left on the disk that holds the data directory$/],
  ['SQLITE_IOERR_SHMSIZE', 4874, DiskFull, /^no room is left/],
  ['SQLITE_READONLY', 8, DiskFailed, /^the store is read-only: make the disk .* writable$/],
  ['SQLITE_READONLY_DBMOVED', 1032, DiskFailed, /^the store is read-only/],
  ['SQLITE_IOERR_WRITE, as for a used up quota', 778, DiskFailed, /fails, or its quota is used up: check it/],
  ['SQLITE_IOERR_FSYNC', 1034, DiskFailed, /fails, or its quota/],
  ['SQLITE_CANTOPEN', 14, DiskFailed, /^the store cannot be opened: check the disk/],
] as const)
  it(`${title} of a running panel is a problem of the disk, whose text stays in the cause`, () => {
    const cause = ofSqlite(errcode)
    const problem = sqliteDiskProblem(cause)
    assert.deepEqual([problem?.kind, problem?.cause, isDiskProblem(problem)], [kind, cause, true])
    assert.match(problem?.message ?? '', message)
  })

it('other results of SQLite are not', () => {
  for (const errcode of [1, 11, 19, 26]) assert.equal(sqliteDiskProblem(ofSqlite(errcode)), undefined)
  assert.equal(isDiskProblem(StoreFailed()), false)
})

it('at the start they name the file and what to do, also within a query', () => {
  const file = '/var/lib/hostreeve/hostreeve.db'
  const named = (error: unknown) => (nameUnusable(error, file) as Error).message
  assert.match(
    named(ofSqlite(778)),
    /^The store \/var\/lib\/hostreeve\/hostreeve.db cannot be read or written/,
  )
  assert.match(named(sqliteDiskProblem(ofSqlite(8))), /hostreeve.db cannot be written: make its folder/)
  assert.match(named(StoreFailed(undefined, { cause: ofSqlite(11) })), /hostreeve.db is damaged: put it back/)
  const full = sqliteDiskProblem(ofSqlite(13))
  assert.equal(nameUnusable(full, file), full)
})
