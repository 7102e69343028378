import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { Problem } from '../../../core/problem.ts'
import { killGroup } from '../confined/tool.ts'
import { HelperFailed, OwnerUnavailable } from '../problems.ts'
import { type Bench, makeBench, skip } from '../testing/homes.ts'
import { runGit } from './run.ts'
import { until } from '../../../../test/support/until.ts'

describe('a run of git', { skip }, () => {
  let bench: Bench
  before(() => {
    bench = makeBench()
  })
  after(() => bench.remove())

  it('is the first that the kernel kills when memory runs out', async () => {
    const ending = new AbortController()
    const run = runGit(bench.alice, { args: ['60.061001'], signal: ending.signal }, '/usr/bin/sleep')
    let pid = ''
    await until(() => (pid = pidOf('60.061001', bench.alice.uid)) !== '')
    assert.equal(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim(), '800')
    ending.abort()
    await assert.rejects(run)
  })

  it('fails as unavailable if the account has reached its process limit, as do archives', async () => {
    const crowded = bench.account('crowded', 61_777)
    const own = bench.owners.of(crowded)
    await own.mkdir('r') // its program is warm
    const sleepers =
      'for (1..1100) { my $p = fork() // last; if ($p == 0) { sleep 60; exit } } print "up\\n"; close STDOUT; sleep 60'
    const crowd = spawn(
      'setpriv',
      [
        '--reuid=61777',
        '--regid=61777',
        '--clear-groups',
        'prlimit',
        '--nproc=2000',
        'perl',
        '-e',
        `$| = 1; ${sleepers}`,
      ],
      {
        detached: true,
      },
    )
    try {
      await once(crowd.stdout, 'data')
      await assert.rejects(
        own.git.status('r', { name: 'A', email: 'a@x' }),
        isOf(OwnerUnavailable, /reached its process limit/),
      )
      await assert.rejects(
        own.archives.compress(['r'], 'r.7z'),
        isOf(HelperFailed, /reached its process limit/),
      )
    } finally {
      killGroup(crowd.pid)
    }
  })
})

const isOf = (kind: unknown, message: RegExp) => (error: unknown) =>
  error instanceof Problem && error.kind === kind && message.test(error.message)

function pidOf(word: string, uid: number): string {
  const isMeant = (pid: string) => {
    try {
      return (
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[1] === word &&
        statSync(`/proc/${pid}`).uid === uid
      )
    } catch {
      return false // it ended meanwhile
    }
  }
  return readdirSync('/proc').find((name) => /^\d+$/.test(name) && isMeant(name)) ?? ''
}
