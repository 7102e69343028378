import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openLocks } from './locks.ts'

const lasting = new AbortController().signal
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('locks', () => {
  it('are held by one at a time, in the order of asking', async () => {
    const locks = openLocks()
    const order: string[] = []
    const hold = async (name: string) => {
      const release = await locks.acquire(['a'], lasting)
      order.push(`${name} in`)
      await turn()
      order.push(`${name} out`)
      release()
    }
    await Promise.all(['1', '2', '3'].map(hold))
    assert.deepEqual(order, ['1 in', '1 out', '2 in', '2 out', '3 in', '3 out'])
  })

  it('on other names do not wait, and a name given twice is taken once', async () => {
    const locks = openLocks()
    await locks.acquire(['a', 'a'], lasting)
    await locks.acquire(['b'], lasting)
  })

  it('taken in any order never wait in a circle', async () => {
    const locks = openLocks()
    const hold = async (names: readonly string[]) => {
      const release = await locks.acquire(names, lasting)
      await turn()
      release()
    }
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        hold(
          [
            ['a', 'b', 'c'],
            ['c', 'a'],
            ['b', 'c', 'a'],
          ][index % 3] as string[],
        ),
      ),
    )
  })

  it('tell whether a name was released after a mark', async () => {
    const locks = openLocks()
    const mark = locks.now()
    const release = await locks.acquire(['a'], lasting)
    assert.equal(locks.changedSince(['a', 'b'], mark), false)
    release()
    assert.deepEqual(
      [
        locks.changedSince(['a', 'b'], mark),
        locks.changedSince(['b'], mark),
        locks.changedSince(['a'], locks.now()),
      ],
      [true, false, false],
    )
  })

  it('count as released when they are touched', () => {
    const locks = openLocks()
    const mark = locks.now()
    locks.touch(['a'])
    assert.deepEqual([locks.changedSince(['a'], mark), locks.changedSince(['b'], mark)], [true, false])
  })

  it('are waited for no longer than the signal lasts; the line moves up and nothing stays held', async () => {
    const locks = openLocks()
    const release = await locks.acquire(['b'], lasting)
    const leaving = new AbortController()
    const left = locks.acquire(['a', 'b'], leaving.signal)
    const behind = locks.acquire(['b'], lasting)
    await turn()
    leaving.abort(new Error('gone'))
    await assert.rejects(left, /gone/)
    await locks.acquire(['a'], lasting)
    release()
    ;(await behind)()
    await locks.acquire(['b'], lasting)
  })
})
