import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noPassword } from '../../users/index.ts'
import { decideUsers } from './users.ts'

/** Returns the rows of a new user. */
async function rowsOf(isPlan: boolean): Promise<string> {
  const users = { queries: { byEmail: async () => undefined } }
  const planned = { users, chooseUid: async () => {}, addPerson: () => {} }
  const applying = {
    caller: { user: { id: 1, is_admin: true }, permissions: [] },
    input: { manifest: { version: 1, users: [{ email: 'ada@example.com' }] }, ids: { users: [7] } },
    passwords: { take: () => 'a password that was drawn' },
    now: new Date(0),
    ...{ planned, isPlan },
  }
  const { changes } = await decideUsers(
    { users } as unknown as Parameters<typeof decideUsers>[0],
    applying as unknown as Parameters<typeof decideUsers>[1],
  )
  return JSON.stringify(changes.flatMap(({ rows }) => rows))
}

test('a plan hashes no passwords of new users, an application does', async () => {
  assert.ok((await rowsOf(true)).includes(noPassword))
  const applied = await rowsOf(false)
  assert.match(applied, /argon2id\$/)
  assert.ok(!applied.includes(noPassword))
})
