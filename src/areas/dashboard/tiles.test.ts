import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { signedIn } from '../../core/guard.ts'
import { Unavailable } from '../../core/problem.ts'
import type { Caller } from '../../core/caller.ts'
import { leftSteps } from './first-steps.ts'
import { readTile, type Tile, type TileContent } from './tiles.ts'

const caller: Caller = {
  ip: '192.0.2.1',
  userAgent: '',
  requestId: 'r1',
  user: { id: 1, email: 'ada@example.com', isAdmin: true, username: null },
  permissions: new Set(),
  sessionId: 1,
  keyId: null,
}
const reading = { caller, now: new Date('2026-11-23T00:00:00Z') }

const tile = (read: Tile['read']): Tile => ({
  name: 'mail',
  title: 'Mail',
  link: '/mail',
  guard: signedIn,
  read,
})

describe('a tile', () => {
  const logged: object[] = []
  const log = { error: (fields: object) => void logged.push(fields) }
  const read = (reads: Tile['read'], limitMs?: number) =>
    readTile(tile(reads), reading, { log, ...(limitMs !== undefined && { limitMs }) })

  it('has at most ten items, each on one line', async () => {
    const content: TileContent = {
      state: 'ok',
      summary: 'Running',
      items: Array.from({ length: 12 }, (_, at) => ({ title: `Queue ${at}`, detail: 'one\ntwo' })),
    }
    const shown = await read(async () => content)
    assert.equal(shown?.items.length, 10)
    assert.deepEqual(shown?.items[0], {
      title: 'Queue 0',
      detail: 'one two',
      link: null,
      state: null,
      time: null,
    })
    assert.deepEqual([shown?.state, shown?.error], ['ok', null])
  })

  it('is absent where there is nothing to show', async () =>
    assert.equal(await read(async () => undefined), undefined))

  it('shows the reason of a failure that the caller can act on', async () => {
    const shown = await read(async () => {
      throw Unavailable('The queue cannot be read')
    })
    assert.deepEqual([shown?.state, shown?.error], ['failing', 'The queue cannot be read'])
  })

  it('logs any other failure, and shows none of its text', async () => {
    const shown = await read(async () => {
      throw new Error('secret detail')
    })
    assert.equal(shown?.error, 'Reading it failed. The log of the panel says why.')
    assert.equal(logged.length, 1)
  })

  it('shows that it took too long', async () => {
    const shown = await read(() => new Promise(() => undefined), 5)
    assert.equal(shown?.error, 'There was no answer within 0.005 s')
  })

  it('leaves out first steps that are done or cannot be judged', async () => {
    const step = (name: string, order: number, isDone: () => Promise<boolean>) => ({
      name,
      order,
      title: name,
      detail: '',
      link: '/mail',
      guard: signedIn,
      isDone,
    })
    const steps = [
      step('done', 1, async () => true),
      step('later', 3, async () => false),
      step('left', 2, async () => false),
      step('unknown', 4, () => Promise.reject(new Error('no answer'))),
    ]
    const left = await leftSteps(steps, reading, { log })
    assert.deepEqual(
      left.map(({ name }) => name),
      ['left', 'later'],
    )
  })
})
