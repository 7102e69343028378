import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../../../core/problem.ts'
import { DiskFull, NotPermitted } from '../problems.ts'
import { parseDifference } from './difference.ts'
import { gitFailure } from './failures.ts'
import { parseLog } from './history.ts'
import { GitFailed, InTheWay } from './problems.ts'
import { parseStatus } from './status.ts'

const nul = (...parts: string[]) => Buffer.from(parts.map((part) => `${part}\0`).join(''), 'latin1')
const oid = 'a'.repeat(40)

describe('the machine-readable output of git', () => {
  it('is parsed: every kind of changed file, by its bytes', () => {
    const status = parseStatus(
      nul(
        `# branch.oid ${oid}`,
        '# branch.head main',
        '# branch.upstream origin/main',
        '# branch.ab +2 -1',
        `1 .M N... 100644 100644 100644 ${oid} ${oid} with blanks and\nmore`,
        `2 R. N... 100644 100644 100644 ${oid} ${oid} R100 new`,
        'old',
        `u UU N... 100644 100644 100644 100644 ${oid} ${oid} ${oid} both`,
        `1 .M SC.. 160000 160000 160000 ${oid} ${oid} sub`,
        '? \xff',
        '? nested/',
      ),
    )
    assert.deepEqual(
      [status.branch, status.upstream, status.ahead, status.behind, status.head],
      ['main', 'origin/main', 2, 1, oid],
    )
    assert.deepEqual(
      status.files.map(({ path, oldPath, staged, unstaged, isSubmodule }) => [
        path,
        oldPath,
        staged,
        unstaged,
        isSubmodule,
      ]),
      [
        ['with blanks and\nmore', undefined, 'unmodified', 'modified', false],
        ['new', 'old', 'renamed', 'unmodified', false],
        ['both', undefined, 'conflicted', 'conflicted', false],
        ['sub', undefined, 'unmodified', 'modified', true],
        ['\udcff', undefined, 'unmodified', 'untracked', false],
        ['nested/', undefined, 'unmodified', 'untracked', true],
      ],
    )
  })

  it('is rejected if malformed, and truncated at the limit', () => {
    for (const bad of ['1 .M', 'nonsense', '9 x y z']) assert.throws(() => parseStatus(nul(bad)), Problem)
    assert.deepEqual(
      parseStatus(Buffer.from('? whole\0? cut o')).files.map(({ path }) => path),
      ['whole'],
    )
    assert.throws(() => parseLog(nul('no id', ...Array<string>(9).fill(''))), Problem)
    assert.deepEqual(parseLog(nul(oid, 'cut')), [])
  })

  it('reports renamed and binary files in a diff', () => {
    const raw = (letter: string) => `:100644 100644 ${oid} ${oid} ${letter}`
    const files = parseDifference(
      nul(raw('R090'), 'old', 'new', raw('M'), 'picture', '1\t2\t', 'old', 'new', '-\t-\tpicture'),
    )
    assert.deepEqual(files, [
      { path: 'new', oldPath: 'old', state: 'renamed', additions: 1, deletions: 2 },
      { path: 'picture', state: 'modified', additions: null, deletions: null },
    ])
  })

  it('is mapped to a full disk, a lock, a missing right, or its own message', () => {
    const kinds = [
      ['fatal: write error: No space left on device', DiskFull],
      ['error: Disk quota exceeded', DiskFull],
      ["fatal: Unable to create '/home/a/.git/index.lock': File exists.", InTheWay],
      [
        'error: insufficient permission for adding an object to repository database .git/objects',
        NotPermitted,
      ],
      ['fatal: bad object', GitFailed],
      ['', GitFailed],
    ] as const
    for (const [expected, kind] of kinds) assert.equal(gitFailure(expected).kind, kind, expected)
  })
})
