import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Semaphore } from './semaphore.ts'

it('lets so many go at once, the others in order, also after one that failed', async () => {
  const semaphore = new Semaphore(2)
  const begun: number[] = []
  const ends = new Map<number, (failed?: boolean) => void>()
  const work = (number: number) =>
    semaphore.with(() => {
      begun.push(number)
      return new Promise<void>((resolve, reject) =>
        ends.set(number, (failed) => (failed === true ? reject(new Error('no')) : resolve())),
      )
    })
  const all = [1, 2, 3, 4].map((number) => work(number).catch(() => undefined))
  await Promise.resolve()
  assert.deepEqual(begun, [1, 2])
  ends.get(2)?.(true)
  await all[1]
  assert.deepEqual(begun, [1, 2, 3])
  ends.get(3)?.()
  await all[2]
  assert.deepEqual(begun, [1, 2, 3, 4])
  for (const number of [1, 4]) ends.get(number)?.()
  await Promise.all(all)
})
