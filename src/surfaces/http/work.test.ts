import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { text } from 'node:stream/consumers'
import { until } from '../../../test/support/until.ts'
import { openSample } from './testing/sample.ts'

let sample: Awaited<ReturnType<typeof openSample>>
let origin: string
beforeEach(async () => {
  sample = await openSample()
  await sample.app.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${(sample.app.server.address() as AddressInfo).port}/api/boxes`
})
afterEach(async () => {
  await sample.jobs.stop()
  await sample.http.stop(100)
  await sample.store.close()
})

const post = (path: string, label = 'box', headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${origin}/${path}`, {
    method: 'POST',
    body: JSON.stringify({ label }),
    headers: { authorization: 'Bearer ada', ...headers },
    ...(signal && { signal }),
  })
const answerOf = async (reply: Promise<Response>) => {
  const { status, headers, body } = await reply
  return { status, jobId: headers.get('x-job-id'), json: JSON.parse(await text(body as never)) as any }
}
const states = async () =>
  (await sample.store.db.selectFrom('jobs').select('state').execute()).map(({ state }) => state)
const untilState = (state: string, count = 1) =>
  until(async () => {
    const all = await states()
    return all.length === count && all.every((each) => each === state)
  })

describe('long work over HTTP', { timeout: 300_000 }, () => {
  it('as accepted answers its job at once, and joins a repeat', async () => {
    const key = { 'idempotency-key': 'k' }
    const all = await Promise.all(Array.from({ length: 8 }, () => answerOf(post('packed/job', 'box', key))))
    assert.deepEqual(
      all.map(({ status, json }) => [status, json]),
      Array.from({ length: 8 }, () => [202, { data: { job_id: 1 } }]),
    )
    assert.deepEqual([await states(), all[0]?.jobId], [['queued'], '1'])
  })

  it('as awaited answers at its end, and the reply to a repeat as well', async () => {
    await sample.startJobs()
    const key = { 'idempotency-key': 'k' }
    const both = [answerOf(post('packed', 'box', key)), answerOf(post('packed', 'box', key))]
    await untilState('running')
    sample.boxes.go.resolve()
    for (const { status, json } of await Promise.all(both))
      assert.deepEqual([status, json], [201, { weight: 3 }])
    const late = await answerOf(post('packed', 'box', key))
    assert.deepEqual([late.status, late.json], [201, { weight: 3 }])
  })

  it('as awaited answers 202 to whoever prefers that', async () => {
    const { status, json } = await answerOf(post('packed', 'box', { prefer: 'wait=5, respond-async' }))
    assert.deepEqual([status, json], [202, { data: { job_id: 1 } }])
  })

  it('answers a refusal at the request, and as awaited also one at its turn, with the declared code', async () => {
    await sample.startJobs()
    for (const label of ['taken', 'soon taken']) {
      const { status, json } = await answerOf(post('packed', label))
      assert.deepEqual([status, json.error.code], [409, 'taken'])
    }
    assert.deepEqual(await states(), ['failed'])
  })

  it('goes on when the tab is closed', async () => {
    await sample.startJobs()
    const leaving = new AbortController()
    const left = assert.rejects(post('packed', 'box', {}, leaving.signal))
    await untilState('running')
    leaving.abort()
    await left
    await until(async () => sample.gates.running.size === 0)
    assert.deepEqual(await states(), ['running'])
    sample.boxes.go.resolve()
    await untilState('succeeded')
  })

  it('as followed tells its events in the shape of the endpoint, and from Last-Event-ID on', async () => {
    await sample.startJobs()
    const key = { 'idempotency-key': 'k' }
    const reply = post('packed/events', 'box', key)
    await untilState('running')
    sample.boxes.go.resolve()
    const told = await text((await reply).body as never)
    assert.match(told, /id: 2\ndata: {"say":"Half packed"}\n\ndata: {"say":"weighs 3"}\n\n$/)
    const again = await post('packed/events', 'box', { ...key, 'last-event-id': '2' })
    assert.equal(await text(again.body as never), 'data: {"say":"weighs 3"}\n\n')
  })

  it('as followed answers its job to another panel that prefers that', async () => {
    const peer = { authorization: 'Bearer peer', 'x-replication-source': 'peer:1', prefer: 'respond-async' }
    const { status, json } = await answerOf(post('packed/events', 'box', peer))
    assert.deepEqual([status, json], [202, { data: { job_id: 1 } }])
  })

  it('has a plan with its steps', async () => {
    const { status, json } = await answerOf(post('packed?plan=1'))
    assert.deepEqual([status, json.data.summary, json.data.steps], [200, 'Pack box', [{ title: 'Pack box' }]])
    assert.equal(json.data.is_job, true)
    assert.deepEqual(await states(), [])
  })

  it('ends when the panel stops: streams get an error, those who wait 503, and it is undone', async () => {
    await sample.startJobs()
    const followed = post('packed/events').then(({ body }) => text(body as never))
    const waiting = answerOf(post('packed'))
    await untilState('running', 2)
    const ended = sample.jobs.stop()
    await sample.http.stop(600_000) // longer than this test may take
    await ended
    assert.match(await followed, /data: {"type":"error","message":"the stream was ended by the panel"}/)
    assert.equal((await waiting).status, 503)
    assert.deepEqual(await states(), ['interrupted', 'interrupted'])
  })
})
