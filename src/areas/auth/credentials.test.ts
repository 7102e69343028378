import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Caller } from '../../core/caller.ts'
import type { Store } from '../../store/store.ts'
import { openCredentials } from './credentials.ts'
import { openLifetimes } from './lifetimes.ts'

const visitor = { ip: '192.0.2.1', userAgent: 'test', requestId: 'test' }

/** A store that is written when the test says so. */
function writtenStore() {
  const listeners: (() => unknown)[] = []
  return {
    store: { onWritten: (_tables, listener) => void listeners.push(listener) } as Pick<
      Store,
      'onWritten'
    > as Store,
    written: () => Promise.all(listeners.map((listener) => listener())),
  }
}

test('a write that ends a session returns once its responses are cut off', async () => {
  const { store, written } = writtenStore()
  let untilMs = Infinity
  const { hold } = openLifetimes(store, async () => {
    await setImmediate()
    return untilMs
  })
  const user = { id: 1, email: 'ada@example.com', isAdmin: false, username: null }
  const caller: Caller = { ...visitor, user, permissions: new Set(), sessionId: 1, keyId: null }
  const { signal } = hold(caller)
  await written()
  assert.equal(signal.aborted, false)
  untilMs = 0
  await written()
  assert.equal(signal.aborted, true)
})

test('a token is looked up again if something was written meanwhile', async () => {
  const { store, written } = writtenStore()
  let asked = 0
  const sessions = {
    byAccessHash: async () => {
      asked += 1
      if (asked === 1) void written()
      return undefined
    },
  } as never
  const { find } = openCredentials(store, {} as never, sessions)
  assert.equal(await find('token', visitor), undefined)
  assert.equal(asked, 2)
})
