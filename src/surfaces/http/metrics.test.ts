import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import Fastify from 'fastify'
import { readMetrics } from './metrics.ts'
import { observe } from './requests.ts'

describe('the measurements of the panel', () => {
  const app = Fastify()
  observe(app, { ...app.log, info: () => {} })
  app.get('/there', async () => 'yes')
  before(() => app.ready())
  after(() => app.close())

  /** The value of a line of the text. */
  const valueOf = (text: string, line: string) => {
    const found = text.split('\n').find((each) => each.startsWith(`${line} `))
    return found === undefined ? 0 : Number(found.slice(line.length))
  }

  it('count answers by method and status, and their times in steps that include the ones before', async () => {
    const { text: before } = await readMetrics()
    for (const url of ['/there', '/there', '/missing']) await app.inject(url)
    const { type, text } = await readMetrics()
    const added = (line: string) => valueOf(text, line) - valueOf(before, line)
    assert.match(type, /^text\/plain; version=0\.0\.4/)
    assert.equal(added('hostreeve_http_requests_total{method="GET",status="200"}'), 2)
    assert.equal(added('hostreeve_http_requests_total{method="GET",status="404"}'), 1)
    for (const line of ['_count', '_bucket{le="+Inf"}'])
      assert.equal(added(`hostreeve_http_request_seconds${line}`), 3)
    const steps = ['0.005', '0.02', '0.1', '0.5', '2', '10', '+Inf'].map((bound) =>
      valueOf(text, `hostreeve_http_request_seconds_bucket{le="${bound}"}`),
    )
    assert.deepEqual(
      steps,
      steps.toSorted((a, b) => a - b),
    )
  })

  it('tell of the process', async () => {
    const { text } = await readMetrics()
    assert.match(text, /^process_resident_memory_bytes \d+$/m)
  })
})
