import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestPanel } from '../../../test/support/panel.ts'
import { scratchHead, startScratchHaproxy, haproxySkipReason } from '../../tools/haproxy/testing/scratch.ts'

const options = { skip: haproxySkipReason(), timeout: 300_000 }
const requests = process.env['HOSTREEVE_LONG'] ? 500 : 200

test(`adds ${requests} backends concurrently to a running HAProxy`, options, async (t) => {
  const scratch = await startScratchHaproxy(scratchHead)
  t.after(scratch.stop)
  const panel = await openTestPanel({ haproxy: scratch.options })
  t.after(panel.close)
  const add = (_: unknown, at: number) =>
    panel.request('POST', '/api/lbproxy/backends', { as: panel.admin, body: { name: `b${at}` } })
  const answers = await Promise.all(Array.from({ length: requests }, add))
  const refusals = answers.flatMap(({ status, error }) =>
    status === 201 ? [] : [`${status} ${error.message}`],
  )
  assert.deepEqual(refusals, [])
  const { data } = await panel.request('GET', '/api/lbproxy/backends', { as: panel.admin })
  assert.equal(data.length, requests)
})
