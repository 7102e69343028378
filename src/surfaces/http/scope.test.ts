import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from '../../core/caller.ts'
import { Scope } from './scope.ts'

const visitor = { ip: '192.0.2.1', userAgent: '', requestId: 'r' }
const caller: Caller = {
  ...visitor,
  user: { id: 1, email: 'ada@example.com', isAdmin: false, username: null },
  permissions: new Set(),
  sessionId: 1,
  keyId: null,
}
const log = { info: () => {}, warn: () => {}, error: () => {} }
const none = {
  range: undefined,
  ifRange: undefined,
  lastEventId: undefined,
  tokenUserId: undefined,
  connectedAt: null,
  isDirect: () => true,
  rpcHeaders: () => ({}),
}
const open = (found: Caller | undefined) => new Scope({ visitor, caller: found, log, id: () => 1, ...none })

test('the rest of a request has its caller and its signal, which ends with the request', () => {
  const scope = open(caller)
  const { visitor: _visitor, ...request } = scope
  assert.equal(request.caller, caller)
  scope.end(new Error('gone'))
  assert.equal(request.signal.aborted, true)
})

test('a run of an open endpoint may take the rest, and fails when it reads a caller that is not there', () => {
  const { visitor: _visitor, ...request } = open(undefined)
  assert.equal('caller' in request, false)
  assert.throws(() => open(undefined).caller, /nobody is signed in/)
})

test('the identifier of the last event is a whole number that the store takes', () => {
  const lastEventId = (text: string) =>
    new Scope({ visitor, caller, log, id: () => 1, ...none, lastEventId: text }).lastEventId
  assert.deepEqual(['7', '9'.repeat(30), '-1', '1.5', ''].map(lastEventId), [
    7,
    Number.MAX_SAFE_INTEGER,
    undefined,
    undefined,
    undefined,
  ])
})
