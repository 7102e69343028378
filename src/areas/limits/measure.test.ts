import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureHomes } from './measure.ts'

test('measures the other homes where one cannot be measured', async () => {
  const noted: number[] = []
  const names = ['ada', 'eve', 'bob']
  const limits = {
    queries: {
      users: async () => names.map((username, user_id) => ({ user_id, username })),
      noteSize: async ({ user_id, bytes }: { user_id: number; bytes: number }) => noted.push(user_id, bytes),
    },
    users: { queries: { byUsername: async () => ({}) }, accounts: { find: async () => ({ uid: 1001 }) } },
    owners: {
      of: ({ name }: { name: string }) => ({
        dirsize: async () => {
          if (name === 'eve') throw new Error('closed')
          return { bytes: 7 }
        },
      }),
    },
  }
  const failed: unknown[] = []
  const log = { error: (fields: { username: string }) => failed.push(fields.username) }
  const signal = AbortSignal.timeout(60_000)
  const result = await measureHomes.run({ limits, signal, log } as never)
  assert.deepEqual([result, noted, failed], [{ measured: 2 }, [0, 7, 2, 7], ['eve']])
})
