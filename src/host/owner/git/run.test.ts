import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { type Bench, makeBench, skip, until } from '../testing.ts'
import { runGit } from './run.ts'

describe('a run of git', { skip }, () => {
  let bench: Bench
  before(() => {
    bench = makeBench()
  })
  after(() => bench.remove())

  it('is what the kernel ends first when memory runs out', async () => {
    const ending = new AbortController()
    const run = runGit(bench.alice, { args: ['60.061001'], signal: ending.signal }, '/usr/bin/sleep')
    let pid = ''
    await until(() => (pid = pidOf('60.061001', bench.alice.uid)) !== '')
    assert.equal(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim(), '800')
    ending.abort()
    await assert.rejects(run)
  })
})

function pidOf(word: string, uid: number): string {
  const isMeant = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[1] === word && statSync(`/proc/${pid}`).uid === uid
    } catch {
      return false // it ended meanwhile
    }
  }
  return readdirSync('/proc').find((name) => /^\d+$/.test(name) && isMeant(name)) ?? ''
}
