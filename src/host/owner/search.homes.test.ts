import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { asOwner, isOurs, makeBench, skip, type Bench } from './testing/homes.ts'
import { until } from '../../../test/support/until.ts'

/** The pids of a uid's programs that look for lines. */
function finders(uid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((pid) => {
      try {
        return (
          /^\d+$/.test(pid) &&
          statSync(`/proc/${pid}`).uid === uid &&
          /^(?:rg|grep)$/.test(readFileSync(`/proc/${pid}/comm`, 'utf8').trim()) &&
          isOurs(Number(pid))
        )
      } catch {
        return false // it ended meanwhile
      }
    })
    .map(Number)
}

/** Stops the search of a uid, so that it cannot end before its caller leaves; false if none is stopped yet. */
function holdSearch(uid: number): boolean {
  const pids = finders(uid)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  return pids.some(isStopped)
}

/** False for one that ended meanwhile, also where nobody has waited for it yet. */
function isStopped(pid: number): boolean {
  try {
    return /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

describe('a search of a home', { skip }, () => {
  let bench: Bench
  before(() => {
    bench = makeBench()
    asOwner(
      bench.alice,
      'sh',
      '-c',
      'mkdir -p first many; printf "needle\\n" > first/a; yes "hay and more hay" | head -c 300000000 > many/large; for n in $(seq 300); do echo needle > many/$n; done',
    )
  })
  after(() => bench.remove())
  const own = () => bench.owners.of(bench.alice)

  it('sends results before it ends, and ends its program when the reader stops', async () => {
    const found = own().find('', 'needle', { content: true })
    assert.equal((await found.next()).value?.line, 1)
    await found.return(undefined)
    await until(() => finders(bench.alice.uid).length === 0)
    assert.equal((await own().stat('first/a')).type, 'file')
  })

  /** Begins a long search that its caller can leave. */
  const begin = () => {
    const leaving = new AbortController()
    const searching = own().search('many', 'nothing has this', { content: true, signal: leaving.signal })
    const begun = { leaving, searching, isOver: false }
    const end = () => void (begun.isOver = true)
    searching.then(end, end)
    return begun
  }

  it('ends with the signal of its caller, before and during the search', async () => {
    await assert.rejects(
      own().search('', 'x', { content: true, signal: AbortSignal.abort(new Error('gone before')) }),
      /gone before/,
    )
    let begun = begin()
    await until(
      () => {
        const isHeld = holdSearch(bench.alice.uid)
        if (!isHeld && begun.isOver) begun = begin() // it ended before it was seen
        return isHeld
      },
      { everyMs: 1 },
    )
    begun.leaving.abort(new Error('gone'))
    await assert.rejects(begun.searching, /gone/)
    await until(() => finders(bench.alice.uid).length === 0)
  })

  it('ends with the signal of its caller that comes while its helper starts', async () => {
    const { leaving, searching } = begin()
    leaving.abort(new Error('gone'))
    await assert.rejects(searching, /gone/)
    await until(() => finders(bench.alice.uid).length === 0)
  })

  it('returns no more than requested, and reports that there is more', async () => {
    const { items, isCut } = await own().search('many', 'needle', { content: true, limit: 299 })
    assert.deepEqual([items.length, isCut], [299, true])
    assert.deepEqual((await own().search('many', 'needle', { content: true, limit: 300 })).isCut, false)
  })
})
