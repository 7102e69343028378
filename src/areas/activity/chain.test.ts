import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'

describe('the proof of the activity log', { timeout: 300_000 }, () => {
  let panel: TestPanel
  let keeper: Person
  before(async () => {
    panel = await openTestPanel()
    await panel.start()
    keeper = await panel.person({ permissions: ['plugins_management'] })
    for (const verb of ['disable', 'enable'])
      await panel.request('POST', `/api/plugins/uptime/${verb}`, { as: keeper })
  })
  after(() => panel.close())

  const get = (path: string, as = panel.admin) => panel.request('GET', `/api/activity${path}`, { as })
  const chain = async () => (await get('/chain')).data
  const tamper = (message: string) =>
    panel.store.db.updateTable('activity').set({ message }).where('id', '=', 1).execute()

  test('shows the public key in both forms, and a checkpoint of the newest entry', async () => {
    const { public_key, public_key_pem, checkpoint } = await chain()
    assert.equal(Buffer.from(public_key, 'base64').length, 32)
    assert.match(public_key_pem, /^-----BEGIN PUBLIC KEY-----\n/)
    const { id, key, broken_at, signature } = JSON.parse(checkpoint).checkpoint
    assert.deepEqual([id, key, broken_at], [2, public_key, null])
    assert.equal(Buffer.from(signature, 'base64').length, 64)
  })

  test('exports a header, the entries in their order, and reads stay without effect', async () => {
    const { status, headers, text } = await get('/chain/export')
    assert.deepEqual([status, headers['content-type']], [200, 'application/x-ndjson'])
    assert.match(String(headers['content-disposition']), /^attachment; filename="activity-chain\.jsonl"/)
    const [header, ...entries] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual([header.activity.anchor, header.activity.newest.id], [null, 2])
    assert.deepEqual(
      entries.map(({ entry }) => [entry.id, entry.action]),
      [
        [1, 'plugins_disable_plugin'],
        [2, 'plugins_enable_plugin'],
      ],
    )
    const stored = await panel.store.db.selectFrom('activity_signed_checkpoints').selectAll().execute()
    assert.deepEqual(stored, [])
  })

  test('runs one export per caller at a time', async () => {
    const [first, second] = await Promise.all([get('/chain/export'), get('/chain/export')])
    assert.deepEqual([first.status, second.status, second.error.code], [200, 429, 'rate_limited'])
    assert.equal((await get('/chain/export')).status, 200)
  })

  for (const path of ['/chain', '/chain/export'])
    test(`keeps ${path} for superusers`, async () => {
      assert.equal((await get(path, keeper)).error.code, 'forbidden')
      assert.equal((await panel.request('GET', `/api/activity${path}`)).error.code, 'unauthorized')
    })

  const run = async (kind: string) => {
    const id = await panel.jobs.enqueue({ kind, input: {}, ownerId: null, title: kind })
    const job = () =>
      panel.store.db.selectFrom('jobs').select(['state', 'result']).where('id', '=', id).executeTakeFirst()
    return until(async () => {
      const found = await job()
      return found?.state === 'succeeded' ? JSON.parse(found.result ?? 'null') : undefined
    })
  }

  test('signs the newest entry once an hour, and not twice', async () => {
    assert.deepEqual(await run('activity.sign-newest'), { signed: 2 })
    assert.deepEqual(await run('activity.sign-newest'), { signed: null })
    assert.match((await get('/chain/export')).text, /^\{"checkpoint":\{.*"id":2,/m)
  })

  test('shows the last check: that of a caller, and a later one of the night', async () => {
    assert.equal((await chain()).last_verification, null)
    assert.equal((await get('/verify')).data.ok, true)
    const { verified_at, ...asked } = (await chain()).last_verification
    assert.deepEqual(asked, { ok: true, checked: 2, from: 1, to: 2 })
    await run('activity.verify')
    const nightly = (await chain()).last_verification
    assert.ok(nightly.verified_at >= verified_at)
    assert.deepEqual(nightly.ok, true)
  })

  test('notifies superusers of a break that the check of the night finds, and shows it', async () => {
    await tamper('nothing happened')
    const signedBreak = async () => JSON.parse((await chain()).checkpoint).checkpoint.broken_at
    assert.equal((await get('/verify')).data.ok, false)
    assert.equal(await signedBreak(), null, 'a read records nothing')
    const found = await run('activity.verify')
    assert.deepEqual([found.ok, found.broken_at, await signedBreak()], [false, 1, 1])
    const { verified_at: _at, ...last } = (await chain()).last_verification
    assert.deepEqual(last, { ok: false, broken_at: 1, reason: 'this row is not as it was written' })
    const notice = await until(async () => {
      const { data } = await panel.request('GET', '/api/notifications', { as: panel.admin })
      return data.items.find(({ kind }: { kind: string }) => kind === 'activity_altered')
    })
    assert.equal(notice.title, 'The activity log was altered at entry 1')
    assert.ok(panel.log.some(({ message }) => /not as this panel has written it/.test(message)))
  })
})
