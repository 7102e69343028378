import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'

describe('undo over HTTP', { timeout: 300_000 }, () => {
  let panel: TestPanel
  let keeper: Person
  before(async () => {
    panel = await openTestPanel()
    await panel.start()
    keeper = await panel.person({ permissions: ['plugins_management'] })
  })
  after(() => panel.close())

  const switchPlugin = async (verb: 'enable' | 'disable', as = keeper) => {
    const answer = await panel.request('POST', `/api/plugins/uptime/${verb}`, { as })
    assert.equal(answer.status, 200, answer.text)
    return Number(answer.headers['x-undo-id'])
  }
  const undo = (id: number | string, as = keeper, query = '') =>
    panel.request('POST', `/api/activity/${id}/undo${query}`, { as })
  const isEnabled = async () =>
    (
      await panel.store.db
        .selectFrom('plugins')
        .select('enabled')
        .where('name', '=', 'uptime')
        .executeTakeFirst()
    )?.enabled
  const entryOf = async (id: number) =>
    (await panel.request('GET', '/api/activity?limit=100', { as: panel.admin })).data.items.find(
      (each: { id: number }) => each.id === id,
    )

  test('restores the rows, with an entry that names the undone one, and the undo can be undone', async () => {
    await switchPlugin('enable')
    const id = await switchPlugin('disable')
    const { status, data, headers } = await undo(id)
    assert.deepEqual([status, data], [200, { entry_id: id, message: 'Disable plugin uptime' }])
    assert.equal(await isEnabled(), 1)
    const undoneBy = Number(headers['x-undo-id'])
    const { action, message, path, user_id } = await entryOf(undoneBy)
    assert.deepEqual(
      [action, message, path, user_id],
      [
        'activity_undo_change',
        `Undo entry ${id}: Disable plugin uptime`,
        `/api/activity/${id}/undo`,
        keeper.id,
      ],
    )
    assert.equal((await undo(undoneBy)).status, 200)
    assert.equal(await isEnabled(), 0)
  })

  test('is refused the second time, and the entry says so', async () => {
    const id = await switchPlugin('enable')
    assert.equal((await entryOf(id)).undo_refusal, null)
    assert.equal((await undo(id)).status, 200)
    const { status, error } = await undo(id)
    assert.deepEqual(
      [status, error.code, error.message],
      [409, 'not_undoable', 'It cannot be undone: it has already been undone'],
    )
    assert.equal((await entryOf(id)).undo_refusal, 'it has already been undone')
  })

  test('is refused with what differs if a row has changed since', async () => {
    const id = await switchPlugin('enable')
    await switchPlugin('disable')
    const { status, error } = await undo(id)
    assert.deepEqual([status, error.code], [409, 'conflict'])
    assert.match(error.message, /^plugins uptime: enabled has been changed since/)
  })

  test('has a plan, which changes nothing', async () => {
    await switchPlugin('disable')
    const id = await switchPlugin('enable')
    const { status, data } = await undo(id, keeper, '?plan=1')
    assert.equal(status, 200)
    assert.deepEqual(
      [data.summary, data.rows[0].table],
      [`Undo entry ${id}: Enable plugin uptime`, 'plugins'],
    )
    assert.equal(await isEnabled(), 1)
    assert.equal((await entryOf(id)).undo_refusal, null)
  })

  test('answers 404 for an unknown entry and for one of another user, and 400 for what is no id', async () => {
    const id = await switchPlugin('enable', panel.admin)
    for (const asked of [id, 99_999]) {
      const { status, error } = await undo(asked)
      assert.deepEqual(
        [status, error.code, error.message],
        [404, 'not_found', `id: there is no entry ${asked}`],
      )
    }
    assert.equal((await undo('x')).error.code, 'bad_request')
    assert.equal((await panel.request('POST', `/api/activity/${id}/undo`)).error.code, 'unauthorized')
  })

  test('is for superusers also where the change is not theirs', async () => {
    await switchPlugin('disable')
    const id = await switchPlugin('enable')
    assert.equal((await undo(id, panel.admin)).status, 200)
    assert.equal(await isEnabled(), 0)
  })

  test('is refused to callers who have lost the permission of the endpoint', async () => {
    const other = await panel.person({ permissions: ['plugins_management'] })
    const id = await switchPlugin('enable', other)
    const revoked = { write: 'delete', table: 'user_permissions', where: { user_id: other.id } } as const
    await panel.store.transaction((tx) => panel.store.write(tx, [revoked]))
    const { status, error } = await undo(id, other)
    assert.deepEqual([status, error.code], [403, 'forbidden'])
    assert.equal(await isEnabled(), 1)
  })

  test('of a sign-in is refused with the reason', async () => {
    const { headers } = await panel.request('POST', '/api/auth/login', {
      body: { email: keeper.email, password: keeper.password },
    })
    assert.equal(headers['x-undo-id'], undefined)
    const { items } = (await panel.request('GET', '/api/activity', { as: panel.admin })).data
    assert.match(
      (await undo(items[0].id, panel.admin)).error.message,
      /an undo neither opens nor ends sessions/,
    )
  })

  test('of eight at once one is carried out', async () => {
    await switchPlugin('disable')
    const id = await switchPlugin('enable')
    const answers = await Promise.all(Array.from({ length: 8 }, () => undo(id)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array<number>(7).fill(409)])
    assert.equal(await isEnabled(), 0)
  })

  test('raced with a change of the same row leaves one of them, whole', async () => {
    await switchPlugin('disable')
    const id = await switchPlugin('enable')
    const [undone, changed] = await Promise.all([
      undo(id),
      panel.request('POST', '/api/plugins/uptime/disable', { as: keeper }),
    ])
    assert.ok(undone.status === 200 || undone.error.code === 'conflict', undone.text)
    assert.ok([200, 409].includes(changed.status), changed.text)
    assert.equal(await isEnabled(), 0)
  })
})
