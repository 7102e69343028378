import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { exporting, rowOf } from './exports.ts'
import { tailLogs } from './tail.ts'
import { type LogPanel, openLogPanel } from './testing/panel.ts'

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
const index = 'hostreeve-logs-2026.11.29'

describe('log lines that are sent', () => {
  let at: LogPanel
  before(async () => void (at = await openLogPanel({ isInstalled: true })))
  after(() => at.close())
  beforeEach(() => {
    at.opensearch.indices.clear()
    at.opensearch.failure = undefined
  })

  const ask = (method: string, path: string, body?: unknown, as = at.panel.admin) =>
    at.panel.request(method, `/api/logstore${path}`, { as, ...(body !== undefined && { body }) })
  const put = (message: string, time: string, more: Record<string, unknown> = {}) => {
    const line = { '@timestamp': time, message, severity: 'info', source_ip: '192.0.2.1', ...more }
    at.opensearch.indices.set(index, [...(at.opensearch.indices.get(index) ?? []), line])
  }
  const folder = () => `${at.panel.root}/log-exports`

  describe('as they arrive', () => {
    const follow = (
      query: string,
      { afterMs, severity = '' }: { afterMs?: number; severity?: string } = {},
    ) => {
      const leaving = new AbortController()
      const on = { opensearch: at.panel.tools.opensearch }
      const asked = { query, severity }
      return {
        leave: () => leaving.abort(),
        events: tailLogs(on, asked, { afterMs, signal: leaving.signal }),
      }
    }

    test('are those of the search, the oldest first, and go on after the last event', async () => {
      put('an old heron', secondsAgo(120))
      put('a second heron', secondsAgo(10), { severity: 'err', program: 'shop' })
      put('a heron', secondsAgo(20))
      put('a magpie', secondsAgo(10))
      const { events, leave } = follow('heron', { afterMs: Date.now() - 60_000 })
      const stream = await events
      const [first, second] = [await stream.next(), await stream.next()]
      assert.deepEqual(
        [first.value?.value.message, second.value?.value.message],
        ['a heron', 'a second heron'],
      )
      assert.equal(first.value?.id, undefined)
      assert.deepEqual([second.value?.value.program, second.value?.value.severity], ['shop', 'err'])
      const afterMs = second.value?.id
      assert.ok(afterMs !== undefined && afterMs > Date.now() - 60_000)
      leave()
      assert.equal((await stream.next()).done, true)
      put('a third heron', new Date(afterMs + 1).toISOString())
      const again = follow('heron', { afterMs })
      assert.equal((await (await again.events).next()).value?.value.message, 'a third heron')
      again.leave()
    })

    test('begin anew for a reader who was away for long', async () => {
      put('a missed heron', secondsAgo(600))
      const { events, leave } = follow('heron', { afterMs: Date.now() - 3_600_000 })
      const next = (await events).next()
      put('a new heron', new Date().toISOString())
      assert.equal((await next).value?.value.message, 'a new heron')
      leave()
    })

    test('are the newest 200 of a time, with the number of those that were left out', async () => {
      const time = secondsAgo(10)
      for (let count = 0; count < 205; count++) put(`heron ${count}`, time, { severity: 'err' })
      const { events, leave } = follow('heron', { afterMs: Date.now() - 60_000, severity: 'err,crit' })
      const stream = await events
      const first = (await stream.next()).value
      assert.equal(first?.value.left_out, 5)
      let count = 1
      for (let event = first; event?.id === undefined; count++) event = (await stream.next()).value
      assert.equal(count, 200)
      leave()
    })

    test('are refused before the stream begins', async () => {
      put('a line', secondsAgo(60)) // without any, every query can be read
      const cases: readonly (readonly [string, RegExp])[] = [
        ['query=%22open', /Failed to parse query/],
        [`query=${'*'.repeat(2001)}`, /query/],
        ['severity=terrible', /severity: must be some of/],
      ]
      for (const [query, message] of cases) {
        const { status, error } = await ask('GET', `/tail?${query}`)
        assert.deepEqual([status, error?.code], [400, 'bad_request'], query)
        assert.match(error?.message ?? '', message)
      }
      at.opensearch.failure = { status: 503, body: 'overloaded' }
      assert.equal((await ask('GET', '/tail')).error?.code, 'search_backend_error')
      at.opensearch.failure = { status: 200, body: '<html>' }
      assert.equal((await ask('GET', '/tail')).error?.code, 'parse_error')
    })
  })

  describe('as a file', () => {
    const stateOf = async (id: number) => {
      const row = await at.panel.store.db
        .selectFrom('jobs')
        .select(['state', 'result'])
        .where('id', '=', id)
        .executeTakeFirst()
      return row !== undefined && ['succeeded', 'failed'].includes(row.state) ? row : undefined
    }
    const exported = async (draft: object) => {
      const { status, data, error } = await ask('POST', '/exports', draft)
      assert.equal(status, 202, error?.message)
      const { state, result } = await until(() => stateOf(data.job_id))
      assert.equal(state, 'succeeded')
      return JSON.parse(result ?? '')
    }

    test('have every line once, the oldest first', async () => {
      const times = [60, 50, 40].map((seconds) => secondsAgo(seconds))
      for (let count = 0; count < 2500; count++) put(`heron ${count}`, times[Math.floor(count / 1000)] ?? '')
      put('a magpie', secondsAgo(10))
      const { filename, lines, is_cut } = await exported({ query: 'heron' })
      assert.deepEqual([lines, is_cut], [2500, false])
      const { text, headers } = await ask('GET', `/exports/${filename}`)
      assert.match(
        String(headers['content-disposition']),
        /^attachment; filename="logs-\d{8}-\d{6}-\d+\.jsonl"/,
      )
      assert.deepEqual(
        text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line).message),
        Array.from({ length: 2500 }, (_, count) => `heron ${count}`),
      )
      const [listed] = (await ask('GET', '/exports')).data
      assert.deepEqual([listed.filename, listed.size_bytes], [filename, Buffer.byteLength(text)])
      assert.equal(Date.parse(listed.expires_at) - Date.parse(listed.created_at), 86_400_000)
    })

    test('are CSV without formulas', async () => {
      const time = '2026-11-29T10:00:00.000Z'
      put('a "heron", and\nmore', time, { host: '=cmd()', program: 'shop' })
      const { filename } = await exported({ query: 'heron', format: 'csv', timeFrom: time })
      const { text, headers } = await ask('GET', `/exports/${filename}`)
      assert.match(String(headers['content-type']), /^text\/csv/)
      assert.equal(
        text,
        `@timestamp,severity,facility,host,program,pid,source,source_ip,message\r\n${time},info,,'=cmd(),shop,,,192.0.2.1,"a ""heron"", and\nmore"\r\n`,
      )
      assert.equal(rowOf({ message: '@x' }), ",,,,,,,,'@x\r\n")
    })

    test('leave nothing of an export that is cancelled', async () => {
      for (let count = 0; count < 1500; count++) put(`heron ${count}`, secondsAgo(60))
      const before = readdirSync(folder())
      const cancelling = new AbortController()
      const on = {
        opensearch: at.panel.tools.opensearch,
        files: at.panel.host.files,
        exportFolder: '/log-exports',
      }
      const input = {
        query: 'heron',
        timeFrom: 'now-1h',
        timeTo: '',
        sources: [],
        severity: [],
        format: 'csv',
      }
      const progress = async () => cancelling.abort()
      const { signal } = cancelling
      await assert.rejects(exporting.run({ logstore: on, input, jobId: 9, signal, progress } as never))
      assert.deepEqual(readdirSync(folder()), before)
    })

    test('are removed after a day', async () => {
      mkdirSync(folder(), { recursive: true })
      const old = `${folder()}/logs-20260101-000000-7.csv`
      const [left, other] = [`${folder()}/.logs-x.csv.hostreeve-new-0123456789ab`, `${folder()}/mine.txt`]
      for (const path of [old, left, other]) writeFileSync(path, '')
      const { data } = await ask('POST', '/retention/apply')
      await until(() => stateOf(data.job_id))
      assert.deepEqual([old, left, other].map(existsSync), [false, false, true])
    })

    test('are refused with what is wrong', async () => {
      put('a line', secondsAgo(60)) // without any, every query can be read
      for (const draft of [{ query: '"open' }, { format: 'xml' }, { timeFrom: 'yesterday' }]) {
        const { status, error } = await ask('POST', '/exports', draft)
        assert.deepEqual([status, error?.code], [400, 'bad_request'], JSON.stringify(draft))
      }
      for (const name of ['logs-20260101-000000-1.csv', '..%2f..%2fetc%2fpasswd', 'mine.txt']) {
        const { status, error } = await ask('GET', `/exports/${name}`)
        assert.deepEqual([status, error?.code], [404, 'not_found'], name)
      }
      at.opensearch.failure = { status: 503, body: 'overloaded' }
      assert.equal((await ask('POST', '/exports', {})).error?.code, 'search_backend_error')
      at.opensearch.failure = undefined
      mkdirSync(folder(), { recursive: true })
      for (let count = 1; count <= 20; count++)
        writeFileSync(`${folder()}/logs-20261129-000000-${count}.csv`, '')
      const { status, error } = await ask('POST', '/exports', {})
      assert.deepEqual([status, error?.code], [409, 'conflict'])
    })
  })

  test('are for superusers alone', async () => {
    const keeper = await at.panel.person({ permissions: ['administrative_operations'] })
    for (const [method, path] of [
      ['GET', '/tail'],
      ['GET', '/exports'],
      ['POST', '/exports'],
      ['GET', '/exports/logs-20261129-000000-1.csv'],
    ] as const)
      assert.equal((await ask(method, path, method === 'POST' ? {} : undefined, keeper)).status, 403, path)
  })
})
