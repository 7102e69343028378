import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { openStore } from '../store/store.ts'
import { atMostEvery } from './at-most-every.ts'

it('writes to the store once in two seconds, whoever asks, and notices when the store can be written again', async () => {
  const store = await openStore({ migrations: [], now: new Date('2026-01-02T03:04:05Z') })
  let [now, writes] = [0, 0]
  const ready = atMostEvery(
    2000,
    () => {
      writes += 1
      return store.assertWritable()
    },
    () => now,
  )
  await Promise.all([ready(), ready()])
  await sql`pragma query_only = on`.execute(store.db)
  now = 1999
  await ready()
  assert.equal(writes, 1)
  now = 2000
  await assert.rejects(ready(), { message: /^the store is read-only/ })
  await sql`pragma query_only = off`.execute(store.db)
  await assert.rejects(ready())
  now = 4000
  await ready()
  assert.equal(writes, 3)
  await store.close()
})
