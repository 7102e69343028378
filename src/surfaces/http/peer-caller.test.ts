import assert from 'node:assert/strict'
import type { FastifyRequest } from 'fastify'
import { describe, it } from 'node:test'
import type { Caller } from '../../core/caller.ts'
import { permission, superuser } from '../../core/guard.ts'
import type { Route } from '../routes.ts'
import { callerForPeer, isOfPeer } from './peer-caller.ts'

const callerOf = (more: Partial<Caller> = {}, isAdmin = true): Caller => ({
  ...{ ip: '192.0.2.1', userAgent: '', requestId: 'r', permissions: new Set(), sessionId: null, keyId: 3 },
  user: { id: 5, email: 'root@example.com', isAdmin, username: null },
  ...more,
})
const requestOf = (headers: Readonly<Record<string, string>>) => ({ headers }) as unknown as FastifyRequest
const fromPeer = { 'x-replication-source': 'peer:1' }

describe('a request of another panel', () => {
  it('is one with the key of a superuser without limits, and with the source', () => {
    const isOf = (caller: Caller | undefined, headers: Readonly<Record<string, string>> = fromPeer) =>
      isOfPeer(requestOf(headers), caller)
    assert.equal(isOf(callerOf()), true)
    assert.equal(isOf(undefined), false)
    assert.equal(isOf(callerOf({}, false)), false)
    assert.equal(isOf(callerOf({ keyId: null, sessionId: 7 })), false)
    assert.equal(isOf(callerOf({ isLimited: true })), false)
    for (const source of ['mcp', 'peer:', 'peer:a b', `peer:${'x'.repeat(65)}`, 'xpeer:1'])
      assert.equal(isOf(callerOf(), { 'x-replication-source': source }), false, source)
    assert.equal(isOf(callerOf(), {}), false)
  })

  it('is made by the user that it names, if that user is here and may', async () => {
    const ada = callerOf({ keyId: null }, false)
    const callerNamed = async (email: string) => (email === 'ada@example.com' ? ada : undefined)
    const call = (headers: Readonly<Record<string, string>>, guard: Route['guard']) =>
      callerForPeer({ guard } as Route, requestOf({ ...fromPeer, ...headers }), callerOf(), { callerNamed })
    const owner = callerOf()
    assert.deepEqual(await call({}, superuser), owner)
    const named = { 'x-replication-user': 'ada@example.com' }
    assert.deepEqual(await call(named, { kind: 'signed-in' }), { ...ada, isMirrored: true })
    await assert.rejects(call(named, permission('websites_management')), /You need the permission/)
    await assert.rejects(
      call({ 'x-replication-user': 'nobody@example.com' }, { kind: 'signed-in' }),
      /no active user nobody@example.com here/,
    )
  })
})
