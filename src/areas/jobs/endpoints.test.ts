import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import Type from 'typebox'
import type { JobKind } from '../../core/job.ts'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'

const counts: JobKind = {
  kind: 'test.counts',
  input: Type.Object({}),
  timeoutMs: 10_000,
  attempts: 1,
  resumes: false,
  run: async ({ progress, output }) => {
    await progress(50, 'half way')
    await output('a line of output')
    return { counted: 3 }
  },
}

const waits: JobKind = {
  ...counts,
  kind: 'test.waits',
  run: ({ signal }) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    ),
}

describe('jobs', () => {
  let panel: TestPanel
  let owner: Person
  before(async () => {
    panel = await openTestPanel()
    owner = await panel.person()
    await panel.jobs.start([counts, waits].map((kind) => ({ kind, context: {} })))
  })
  after(() => panel.close())

  const enqueue = (kind: JobKind, title = 'A job', ownerId: number | null = owner.id) =>
    panel.jobs.enqueue({ kind: kind.kind, input: { secret: 'not shown' }, ownerId, title })
  const ask = (method: string, path: string, as = owner, headers: Record<string, string> = {}) =>
    panel.request(method, `/api/jobs${path}`, { as, headers })
  const events = (text: string) =>
    text
      .split('\n\n')
      .filter((part) => part.includes('data: '))
      .map((part) => JSON.parse(part.slice(part.indexOf('data: ') + 6)))
  const ended = async (id: number) => events((await ask('GET', `/${id}/events`)).text).at(-1)

  test('follows a job to its end, and reads its result', async () => {
    const id = await enqueue(counts)
    const { status, headers, text } = await ask('GET', `/${id}/events`)
    assert.deepEqual([status, headers['content-type']], [200, 'text/event-stream'])
    assert.deepEqual(
      events(text).map(({ type, message }) => `${type} ${message}`),
      ['state Started', 'progress half way', 'output a line of output', 'state Done', 'end Done'],
    )
    const { data, text: shown } = await ask('GET', `/${id}`)
    assert.deepEqual(
      [data.state, data.percent, data.result, data.attempt],
      ['succeeded', 100, { counted: 3 }, 1],
    )
    assert.doesNotMatch(shown, /not shown|v1\./)
  })

  test('continues after the last event that a reader has seen', async () => {
    const id = await enqueue(counts)
    await ended(id)
    const { text } = await ask('GET', `/${id}/events`, owner, { 'last-event-id': '2' })
    assert.deepEqual(
      events(text).map(({ type }) => type),
      ['output', 'state', 'end'],
    )
    assert.match(text, /^id: 3\n/)
  })

  test('cancels a running job, and records it; a job that has ended cannot be cancelled', async () => {
    const id = await enqueue(waits)
    const { status, data } = await ask('POST', `/${id}/cancel`)
    assert.deepEqual([status, data], [200, { success: true }])
    assert.equal((await ended(id)).state, 'cancelled')
    const [entry] = (await panel.request('GET', '/api/activity?limit=1', { as: panel.admin })).data.items
    assert.deepEqual([entry.action, entry.user_id], ['jobs_stop_job', owner.id])
    const again = await ask('POST', `/${id}/cancel`)
    assert.deepEqual(
      [again.status, again.error.code, again.error.message],
      [400, 'bad_request', `id: job ${id} is over (cancelled)`],
    )
  })

  test('previews a cancellation without executing it', async () => {
    const id = await enqueue(waits)
    const { data } = await ask('POST', `/${id}/cancel?plan=1`)
    assert.deepEqual([data.is_reversible, data.steps[0].title], [false, `Ask job ${id} to stop`])
    assert.notEqual((await ask('GET', `/${id}`)).data.state, 'cancelled')
    await ask('POST', `/${id}/cancel`)
    assert.equal((await ended(id)).state, 'cancelled')
  })

  test('lists one’s own jobs, and all for a superuser, filtered by state and text', async () => {
    const mine = await enqueue(counts, 'Count the apples')
    await enqueue(counts, 'Count the apples of the panel', null)
    await ended(mine)
    const found = await ask('GET', '?search=apples')
    assert.deepEqual([found.data.total, found.data.items[0].id], [1, mine])
    assert.equal((await ask('GET', '?search=apples', panel.admin)).data.total, 2)
    assert.equal((await ask('GET', '?search=apples&state=cancelled')).data.total, 0)
    assert.match((await ask('GET', '?state=nosuch')).error.message, /^state: must be one of queued/)
  })

  test('hides the jobs of others and of the panel as if they did not exist', async () => {
    const stranger = await panel.person({ permissions: ['websites_management', 'administrative_operations'] })
    const [foreign, own] = [await enqueue(counts), await enqueue(counts, 'Tidy', null)]
    for (const id of [foreign, own, 999_999]) {
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/events'],
        ['POST', '/cancel'],
      ] as const) {
        const { status, error } = await ask(method, `/${id}${path}`, stranger)
        assert.deepEqual([status, error.code, error.message], [404, 'not_found', `id: there is no job ${id}`])
      }
    }
  })

  test('ends the events of a job when their reader loses the right to read them', async () => {
    const id = await enqueue(waits)
    const edits = [{ is_admin: false }, { is_suspended: true }]
    for (const edit of edits) {
      const reader = await panel.person({ isAdmin: true })
      const read = ask('GET', `/${id}/events`, reader)
      await until(() => panel.gates.running.size > 0)
      const { status } = await panel.request('PATCH', `/api/users/${reader.id}`, {
        as: panel.admin,
        body: edit,
      })
      assert.equal(status, 200)
      assert.equal(events((await read).text).at(-1).type, 'error')
    }
    await ask('POST', `/${id}/cancel`)
    await ended(id)
  })

  test('requires a credential and a valid id', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/1'],
      ['GET', '/1/events'],
      ['POST', '/1/cancel'],
    ] as const) {
      assert.equal((await panel.request(method, `/api/jobs${path}`)).error.code, 'unauthorized')
    }
    for (const path of ['/seven', '/0', '/seven/events'])
      assert.match((await ask('GET', path)).error.message, /^id: must be /)
  })
})
