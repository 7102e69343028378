import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestPanel } from '../../../../test/support/panel.ts'

test('smart rules answer a store that fails with db_error', async () => {
  const broken = await openTestPanel()
  try {
    await broken.store.db.schema.dropTable('authdns_rules').execute()
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PUT', '/1', { enabled: false }],
      ['DELETE', '/1', undefined],
    ] as const) {
      const answer = await broken.request(method, `/api/authdns/smart-rules${path}`, {
        as: broken.admin,
        ...(body && { body }),
      })
      assert.deepEqual([answer.status, answer.error?.code], [500, 'db_error'], answer.text)
    }
  } finally {
    await broken.close()
  }
})
