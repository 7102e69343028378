import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Socket } from '../../core/reply.ts'
import { Session } from './session.ts'
import { overdue, usualLimits } from './terminals.ts'
import { standInShells } from './testing/stand-in-shells.ts'

/** A session on a stand-in shell, and a clock that the test sets. */
function openSession() {
  const shells = standInShells()
  const clock = { now: 1000 }
  const session = new Session({
    id: 'one',
    open: (size, onOutput) => shells.open('ada', size, onOutput),
    now: () => clock.now,
  })
  return { session, clock, shell: shells.opened[0]! }
}

/** A socket that a test closes. */
function openSocket() {
  const gone = Promise.withResolvers<void>()
  const closings: (readonly [number, string])[] = []
  const socket: Socket = {
    send: async () => {},
    close: (code, reason) => {
      closings.push([code, reason])
      gone.resolve()
    },
    messages: {
      [Symbol.asyncIterator]: () => ({
        next: () => gone.promise.then(() => ({ done: true as const, value: undefined })),
      }),
    },
  }
  return { socket, closings, leave: gone.resolve }
}

describe('a session', () => {
  it('knows since when it is left, and when something was last printed', async () => {
    const { session, clock, shell } = openSession()
    assert.deepEqual(session.quiet, { activeAt: 1000, leftAt: 1000 })
    const { socket, leave } = openSocket()
    const shown = session.attach(socket, { isResumed: false })
    clock.now = 2000
    shell.print('x')
    assert.deepEqual(session.quiet, { activeAt: 2000, leftAt: undefined })
    clock.now = 3000
    leave()
    await shown
    assert.deepEqual(session.quiet, { activeAt: 2000, leftAt: 3000 })
  })

  it('tells why it closes the socket', async () => {
    for (const [end, code, by] of [
      ['idle', 4000, 'kill'],
      ['stopped', 1001, 'kill'],
      ['revoked', 1008, 'kill'],
      ['closed', 1000, 'hang-up'],
    ] as const) {
      const { session, shell } = openSession()
      const { socket, closings } = openSocket()
      const shown = session.attach(socket, { isResumed: false })
      await session.end(end)
      await shown
      assert.deepEqual([closings.map(([each]) => each), shell.endedBy], [[code], by])
      assert.deepEqual(await session.ended, { end, code: 129 })
    }
  })

  it('lets a program wait that prints without end while nobody looks', () => {
    const { shell } = openSession()
    shell.print(Buffer.alloc(200_000))
    assert.equal(shell.isPaused, false)
    shell.print(Buffer.alloc(200_000))
    assert.equal(shell.isPaused, true)
  })
})

describe('a terminal that is overdue', () => {
  it('was left for two minutes, or nothing happened in it for an hour', () => {
    const minute = 60_000
    const cases = [
      [{ activeAt: 0, leftAt: undefined }, 59 * minute, undefined],
      [{ activeAt: 0, leftAt: undefined }, 60 * minute, 'idle'],
      [{ activeAt: 0, leftAt: 5 * minute }, 6 * minute, undefined],
      [{ activeAt: 7 * minute, leftAt: 5 * minute }, 7 * minute, 'left'],
    ] as const
    for (const [quiet, now, end] of cases) assert.equal(overdue(quiet, usualLimits, now), end)
  })
})
