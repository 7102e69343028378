import assert from 'node:assert/strict'
import { it } from 'node:test'
import { nameDiskFailure } from './disk.ts'
import { DiskFailed, DiskFull, Problem } from './problem.ts'

const failure = (code: string, errno = -1) => Object.assign(new Error(code), { code, errno })

for (const [title, error, kind, message] of [
  ['a full disk', failure('ENOSPC'), DiskFull, 'no room is left on the disk that holds /etc'],
  ['a used up quota', failure('EDQUOT'), DiskFull, 'no room is left on the disk that holds /etc'],
  [
    'a used up quota, as Node reports it',
    failure('Unknown system error -122', -122),
    DiskFull,
    'no room is left on the disk that holds /etc',
  ],
  ['a read-only file system', failure('EROFS'), DiskFailed, 'the file system that holds /etc is read-only'],
  ['a broken disk', failure('EIO'), DiskFailed, 'the disk that holds /etc fails: check it (dmesg)'],
] as const)
  it(`${title} is named with its place`, () => {
    const problem = nameDiskFailure(error, '/etc')
    assert.ok(problem instanceof Problem)
    assert.deepEqual([problem.kind, problem.message, problem.cause], [kind, message, error])
  })

it('any other failure is kept', () => {
  const error = failure('EACCES')
  assert.equal(nameDiskFailure(error, '/etc'), error)
})
