import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Type from 'typebox'
import type { Caller } from '../../core/caller.ts'
import type { Mirrored } from '../../core/mirrored.ts'
import { Id } from '../../core/schemas.ts'
import type { Fetch } from '../../host/fetch/index.ts'
import type { Store } from '../../store/store.ts'
import { outboxRows, type Sealed } from './outbox.ts'
import { sendRequest } from './send.ts'
import type { ReplicationQueries, ServerRow } from './store.ts'

const callerOf = (isAdmin: boolean): Caller => ({
  ...{ ip: '192.0.2.1', userAgent: '', requestId: 'r', permissions: new Set(), sessionId: 1, keyId: null },
  user: { id: 5, email: 'ada@example.com', isAdmin, username: 'ada' },
})
const request = (more: Partial<Mirrored> = {}): Mirrored => ({
  ...{ category: 'users', method: 'POST', path: '/api/users', url: '/api/users?x=1', area: 'users' },
  ...{ endpoint: {}, params: undefined, body: '{"password":"secret"}', isUpload: false },
  shown: '{"body":{"password":"[redacted]"}}',
  caller: callerOf(true),
  ...more,
})
const rowsOf = async (mirrored: Mirrored, servers = [1]) => {
  const rows = await outboxRows(
    {
      store: { seal: (text: string) => text } as Store,
      queries: {
        repeating: async () => servers.map((server_id) => ({ server_id })),
      } as unknown as ReplicationQueries,
      keys: () => [],
    },
    mirrored,
  )
  return rows.map((row) => (row.write === 'insert' ? row.values : {}))
}
const sealedOf = async (mirrored: Mirrored): Promise<Sealed> =>
  JSON.parse(String((await rowsOf(mirrored))[0]?.['sealed_request']))

describe('the outbox', () => {
  it('has a row for each server, in which only the sealed part has the secret', async () => {
    const rows = await rowsOf(request(), [1, 2])
    assert.deepEqual(
      rows.map((row) => [row['server_id'], row['status'], row['endpoint'], row['request_body']]),
      [1, 2].map((server) => [server, 'pending', '/api/users', '{"password":"[redacted]"}']),
    )
    assert.notEqual(rows[0]?.['idempotency_key'], rows[1]?.['idempotency_key'])
    assert.deepEqual(await rowsOf(request(), []), [])
    assert.equal((await sealedOf(request())).url, '/api/users?x=1')
  })

  it('names the user, but for superusers in what does not concern their own account', async () => {
    const as = async (more: Partial<Mirrored>) => (await sealedOf(request(more))).as
    assert.equal(await as({ caller: callerOf(false) }), 'ada@example.com')
    assert.equal(await as({}), undefined)
    assert.equal(await as({ area: 'auth' }), 'ada@example.com')
    assert.equal(await as({ caller: undefined }), undefined)
    const line = { ...callerOf(true), user: { ...callerOf(true).user, email: 'command line' } }
    assert.equal(await as({ caller: line, area: 'auth' }), undefined)
  })

  it('never sends what names a row by an id alone, or lacks its file, however often it is retried', async () => {
    const key = {
      path: '/api/users/{uid}/ssh-keys/{id}',
      endpoint: { params: Type.Object({ uid: Id, id: Id }) },
      params: { uid: 1, id: 3 },
    }
    for (const [more, reason] of [
      [key, /^uid 1 has no name by which another server would find it/],
      [{ isUpload: true, body: undefined }, /^a file that is uploaded is not sent on/],
    ] as const) {
      const [row] = await rowsOf(request(more))
      assert.equal(row?.['status'], 'failed')
      assert.match(String(row?.['error_message']), reason)
      const sent = await sendRequest({} as Fetch, {
        server: { public_key: 'x' } as ServerRow,
        apiKey: 'k',
        action: { method: 'DELETE', idempotency_key: 'i' },
        request: JSON.parse(String(row?.['sealed_request'])),
        signal: AbortSignal.timeout(60_000),
        learnKey: async (server) => server,
        keepIds: async () => {},
      })
      assert.deepEqual([sent.outcome, sent.code], ['failed', null])
      assert.match(sent.message, reason)
    }
  })
})
