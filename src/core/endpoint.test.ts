import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, failures, kindsOf } from './endpoint.ts'
import { problem } from './problem.ts'

test('failures joins records: a code of several records has the kinds of all, each once', () => {
  const [Taken, Busy, Gone] = [problem('a', 409, 'a'), problem('b', 409, 'b'), problem('c', 404, 'c')]
  const joined = failures({ conflict: Taken, not_found: Gone }, { conflict: [Busy, Taken] })
  assert.deepEqual(Object.keys(joined), ['conflict', 'not_found'])
  assert.deepEqual(kindsOf(joined['conflict'] ?? []).kinds, [Taken, Busy])
  assert.throws(
    () => failures({ conflict: Taken }, { conflict: at(500, Busy) }),
    /conflict is declared twice/,
  )
})
