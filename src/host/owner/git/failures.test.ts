import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gitFailure } from './failures.ts'
import { GitFailed, InTheWay } from './problems.ts'

describe('how git fails', () => {
  it('is a lock to remove where it stands here, and not where the other side has it', () => {
    const lock = (at: string) =>
      `error: cannot lock ref 'refs/heads/main': Unable to create '${at}/refs/heads/main.lock': File exists.\n`
    const here = gitFailure(lock('site/.git'), 'path: site: ')
    assert.equal(here.kind, InTheWay)
    assert.match(
      here.message,
      /^path: site: another git process uses this repository, .* remove site\/\.git\/refs\/heads\/main\.lock$/,
    )
    const there = gitFailure(
      `remote: ${lock('/srv/a.git')} ! [remote rejected] main -> main (failed to update ref)\n`,
      'remote: h:443: ',
    )
    assert.doesNotMatch(there.message, /remove/)
  })

  it('is no other git where two names of branches exclude each other', () => {
    const failure = gitFailure(
      "error: cannot lock ref 'refs/remotes/origin/a/b': 'refs/remotes/origin/a' exists; cannot create 'refs/remotes/origin/a/b'\n",
    )
    assert.equal(failure.kind, InTheWay)
    assert.match(failure.message, /^cannot lock ref .* exists; cannot create/)
  })

  it('is told in its words, after the place, where nothing more is known', () => {
    const failure = gitFailure('fatal: bad object HEAD\n', 'path: site: ')
    assert.deepEqual([failure.kind, failure.message], [GitFailed, 'path: site: bad object HEAD'])
  })
})
