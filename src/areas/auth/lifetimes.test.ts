import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import type { Caller } from '../../core/caller.ts'
import { deleteRow } from '../../store/rows.ts'

describe('the signal of a credential', () => {
  let panel: TestPanel
  before(async () => {
    panel = await openTestPanel()
    await panel.start()
  })
  after(() => panel.close())

  const visitor = { ip: '192.0.2.1', userAgent: 'test', requestId: 'test' }
  const callerOf = async (token: string) => (await panel.gates.credentials.find(token, visitor)) as Caller
  const hold = async (token: string) => panel.gates.credentials.hold(await callerOf(token))
  const keyOf = async ({ id }: Person) =>
    (await panel.request('POST', `/api/users/${id}/api-keys`, { as: panel.admin, body: { name: 'key' } }))
      .data
  const asAdmin = (method: string, path: string, body?: object) =>
    panel.request(method, path, { as: panel.admin, ...(body && { body }) })
  const deleteUser = (id: number) =>
    panel.store.transaction((tx) => panel.store.write(tx, [deleteRow('users', { id })]))
  const ended = async ({ signal }: { readonly signal: AbortSignal }) => {
    if (!signal.aborted) await once(signal, 'abort')
    return signal.reason.message
  }

  for (const [title, end] of [
    ['the suspension of its user', ({ id }) => asAdmin('PATCH', `/api/users/${id}`, { is_suspended: true })],
    ['the deletion of its user', ({ id }) => deleteUser(id)],
  ] as const satisfies readonly (readonly [string, (person: Person) => Promise<unknown>])[])
    it(`ends with ${title}, for sessions and keys`, async () => {
      const person = await panel.person()
      const held = [await hold(person.token), await hold((await keyOf(person)).key)]
      await end(person)
      for (const each of held) assert.equal(await ended(each), 'Your session or API key has ended')
    })

  it('ends with its own session or key, and leaves those of the same user', async () => {
    const person = await panel.person()
    const [one, other] = [await keyOf(person), await keyOf(person)]
    const [ofSession, ofOne, ofOther] = [await hold(person.token), await hold(one.key), await hold(other.key)]
    await asAdmin('DELETE', `/api/users/${person.id}/api-keys/${one.id}`)
    await ended(ofOne)
    assert.deepEqual([ofSession.signal.aborted, ofOther.signal.aborted], [false, false])
    await panel.request('POST', '/api/auth/logout', { as: person })
    await ended(ofSession)
    assert.equal(ofOther.signal.aborted, false)
  })

  it('ends at the end of a key', async () => {
    const { id } = await panel.person()
    const body = { name: 'key', expires_at: new Date(Date.now() + 3_600_000).toISOString() }
    const { data } = await asAdmin('POST', `/api/users/${id}/api-keys`, body)
    const caller = await callerOf(data.key)
    await panel.store.db
      .updateTable('api_keys')
      .set({ expires_at: new Date(Date.now() + 300).toISOString() })
      .where('id', '=', data.id)
      .execute()
    const held = panel.gates.credentials.hold(caller)
    assert.equal(await ended(held), 'Your session or API key has ended')
  })

  it('has ended for a request that was admitted before and holds it after', async () => {
    const person = await panel.person()
    const caller = await callerOf(person.token)
    await panel.request('POST', '/api/auth/logout', { as: person })
    await ended(panel.gates.credentials.hold(caller))
  })

  it('is shared by all that hold it, and survives those that release it', async () => {
    const person = await panel.person()
    const [one, other] = [await hold(person.token), await hold(person.token)]
    assert.equal(one.signal, other.signal)
    one.release()
    await asAdmin('PATCH', `/api/users/${person.id}`, { is_suspended: true })
    await ended(other)
  })

  it('ends with a session whose time is over', async () => {
    const person = await panel.person()
    const held = await hold(person.token)
    await panel.store.db
      .updateTable('sessions')
      .set({ expires_at: '2020-01-01T00:00:00.000Z' })
      .where('id', '=', person.sessionId)
      .execute()
    await panel.jobs.enqueue({ kind: 'auth.end-expired-sessions', input: {}, ownerId: null, title: 'Tidy' })
    await ended(held)
  })

  it('does not end for the command line of this host, whatever is written', async () => {
    const local = { id: 0, email: 'command line', isAdmin: true, username: null }
    const { credentials } = panel.gates
    const caller = { ...visitor, user: local, permissions: new Set(), sessionId: null, keyId: null } as Caller
    const { signal } = credentials.hold(caller)
    const person = await panel.person()
    const witness = await hold(person.token) // held later, and reviewed after it
    await deleteUser(person.id)
    await ended(witness)
    assert.equal(signal.aborted, false)
  })
})
