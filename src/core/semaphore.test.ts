import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KeyedMutex } from './keyed-mutex.ts'
import { NotGranted, Semaphore } from './semaphore.ts'

describe('a semaphore', () => {
  it('grants its permits in the order of the calls, even after work that failed', async () => {
    const semaphore = new Semaphore(2)
    const begun: number[] = []
    const ends = new Map<number, (failed?: boolean) => void>()
    const work = (number: number) =>
      semaphore.run(() => {
        begun.push(number)
        return new Promise<void>((resolve, reject) =>
          ends.set(number, (failed) => (failed === true ? reject(new Error('no')) : resolve())),
        )
      })
    const all = [1, 2, 3, 4].map((number) => work(number).catch(() => undefined))
    await new Promise(setImmediate)
    assert.deepEqual(begun, [1, 2])
    ends.get(2)?.(true)
    await all[1]
    await new Promise(setImmediate)
    assert.deepEqual(begun, [1, 2, 3])
    for (const number of [1, 3]) ends.get(number)?.()
    await new Promise(setImmediate)
    ends.get(4)?.()
    await Promise.all(all)
    assert.deepEqual([begun, semaphore.isIdle], [[1, 2, 3, 4], true])
  })

  it('ends a wait with the reason of its signal, and grants the permit to the next caller', async () => {
    const [semaphore, ending] = [new Semaphore(1), new AbortController()]
    const release = await semaphore.acquire()
    const given = Promise.all(
      Array.from({ length: 100 }, () =>
        semaphore.acquire({ signal: ending.signal }).catch((error: unknown) => error),
      ),
    )
    const last = semaphore.acquire()
    ending.abort('gone')
    assert.ok((await given).every((reason) => reason === 'gone'))
    release()
    ;(await last)()
    const late = AbortSignal.abort(new Error('too late'))
    await assert.rejects(semaphore.acquire({ signal: late }), /too late/)
    assert.ok(semaphore.isIdle)
  })

  it('rejects a caller if too many wait, and one that waited too long', async () => {
    const semaphore = new Semaphore(1, 1)
    const release = await semaphore.acquire()
    const waiting = semaphore.acquire({ timeoutMs: 5 })
    const isNotGranted = (reason: string) => (error: unknown) =>
      error instanceof NotGranted && error.reason === reason
    await assert.rejects(semaphore.acquire(), isNotGranted('full'))
    await assert.rejects(waiting, isNotGranted('timeout'))
    release()
    release()
    ;(await semaphore.acquire())()
    assert.ok(semaphore.isIdle)
  })
})

it('a keyed mutex admits one holder per key at a time; other keys are independent', async () => {
  const mutex = new KeyedMutex<string>()
  const log: string[] = []
  const release = await mutex.acquire('a')
  const second = mutex.run('a', async () => void log.push('second a'))
  await mutex.run('b', async () => void log.push('b'))
  log.push('first a')
  release()
  await second
  assert.deepEqual(log, ['b', 'first a', 'second a'])
})
