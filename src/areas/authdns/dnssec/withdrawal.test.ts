import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withdrawDs } from './withdrawal.ts'

const now = new Date('2026-11-29T12:00:00Z')
type Answering = Parameters<typeof withdrawDs>[0]['tool']['askResolver']

/** A zone with one key, and a resolver that gives this answer. */
const withdrawing = (askResolver: Answering, force = false) =>
  withdrawDs(
    {
      tool: {
        readZoneFacts: async (name: string) => ({ name, kind: 'Native' }),
        readKeys: async () => [{ id: 1 }],
        askResolver,
      },
      withdrawals: { find: async () => undefined },
    } as never,
    'example.com',
    { force, now },
  )
const answer = (ttl: number | null, isAuthoritative: boolean, code = 0) => ({
  ...{ code, ttl, isAuthoritative, zone: null },
  values: ttl === null ? [] : ['1 13 2 00'],
})

test('a parent that is not found out needs force, and then counts as one without a DS', async () => {
  const silent = () => Promise.reject(new Error('no answer'))
  for (const asked of [silent, async () => answer(null, false, 2)]) {
    await assert.rejects(withdrawing(asked), /^Problem: force: whether the parent of example\.com has its DS/)
    assert.deepEqual((await withdrawing(asked, true)).reply, {
      ds_seconds: 86_400,
      remove_from: '2026-11-30T12:00:00.000Z',
    })
  }
})

test('the time to live of a DS counts as a day at least where a cache tells what is left of it', async () => {
  const seconds = async (ttl: number, isAuthoritative: boolean) =>
    (await withdrawing(async () => answer(ttl, isAuthoritative))).reply
  assert.deepEqual(await seconds(300, true), { ds_seconds: 300, remove_from: null })
  assert.deepEqual(await seconds(300, false), { ds_seconds: 86_400, remove_from: null })
  assert.deepEqual(await seconds(172_800, false), { ds_seconds: 172_800, remove_from: null })
})
