import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { readAlerts } from './alerts.ts'
import { logstoreQueries } from './store.ts'
import { type LogPanel, openLogPanel } from './testing/panel.ts'

const today = () => new Date().toISOString()
const indexOf = (time: string) => `hostreeve-logs-${time.slice(0, 10).replaceAll('-', '.')}`

describe('log lines', () => {
  let at: LogPanel
  before(async () => void (at = await openLogPanel({ isInstalled: true })))
  after(() => at.close())
  beforeEach(() => {
    at.opensearch.indices.clear()
    at.opensearch.failure = undefined
    at.opensearch.diskPercent = 40
  })

  const ask = (method: string, path: string, body?: unknown) =>
    at.panel.request(method, `/api/logstore${path}`, {
      as: at.panel.admin,
      ...(body !== undefined && { body }),
    })
  const put = (message: string, more: Record<string, unknown> = {}) => {
    const line = { '@timestamp': today(), message, severity: 'info', source_ip: '192.0.2.1', ...more }
    const index = indexOf(String(line['@timestamp']))
    at.opensearch.indices.set(index, [...(at.opensearch.indices.get(index) ?? []), line])
  }
  const found = async (search: object) => {
    const { status, data, error } = await ask('POST', '/search', search)
    assert.equal(status, 200, error?.message)
    return data.hits.map(({ message }: { message: string }) => message)
  }

  test('are found by words, time, sender and severity, the newest first', async () => {
    put('Failed password for root', {
      severity: 'err',
      '@timestamp': new Date(Date.now() - 1000).toISOString(),
    })
    put('Accepted password', { source_ip: '192.0.2.2' })
    put('an old password', { '@timestamp': '2026-01-01T00:00:00Z' })
    assert.deepEqual(await found({ query: 'password' }), ['Accepted password', 'Failed password for root'])
    assert.deepEqual(await found({ query: 'failed AND root' }), ['Failed password for root'])
    assert.deepEqual(await found({ sources: ['192.0.2.2'] }), ['Accepted password'])
    assert.deepEqual(await found({ severity: ['err', 'crit'] }), ['Failed password for root'])
    assert.deepEqual(await found({ timeTo: '2026-01-02T00:00:00Z' }), ['an old password'])
    assert.deepEqual(await found({ timeFrom: '2025-12-31T00:00:00+01:00', limit: 1 }), ['Accepted password'])
    assert.deepEqual(await found({ from: 1 }), ['Failed password for root'])
  })

  test('are at most 500, and 100 for a limit that is out of range', async () => {
    for (let count = 0; count < 510; count++) put(`line ${count}`)
    for (const [limit, expected] of [
      [0, 100],
      [-1, 100],
      [501, 100],
      [500, 500],
      [3, 3],
    ] as const)
      assert.equal((await found({ limit })).length, expected)
    assert.equal((await ask('POST', '/search', {})).data.total, 510)
  })

  test('are not searched with what is wrong in a query', async () => {
    put('x')
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ query: 'foo AND (' }, /Failed to parse query/],
      [{ query: '"open' }, /Failed to parse query/],
      [{ query: 'x'.repeat(2001) }, /query/],
      [{ query: '*'.repeat(10_000) }, /query/],
      [{ from: 10_000 }, /from: must be from 0 to 9900/],
      [{ from: -1 }, /from/],
      [{ from: 1e9 }, /from/],
      [{ timeFrom: 'yesterday' }, /timeFrom: .*now-24h/],
      [{ timeTo: 'now-24h"' }, /timeTo/],
      [{ severity: ['terrible'] }, /severity/],
      [{ sources: 'x' }, /sources/],
    ]
    for (const [search, message] of cases) {
      const { status, error } = await ask('POST', '/search', search)
      assert.deepEqual([status, error?.code], [400, 'bad_request'], JSON.stringify(search))
      assert.match(error?.message ?? '', message)
    }
  })

  test('are counted by time and by their fields', async () => {
    for (const program of ['sshd', 'sshd', 'cron']) put('x', { program })
    const { data } = await ask('POST', '/histogram', { query: 'x' })
    assert.deepEqual([data.total, data.interval, data.times.length], [3, '1h', 1])
    assert.deepEqual(data.fields.program, [
      { value: 'sshd', count: 2 },
      { value: 'cron', count: 1 },
    ])
    assert.equal((await ask('POST', '/histogram', { query: '"' })).error?.code, 'bad_request')
  })

  test('show an outage as search_backend_error, and an answer that cannot be read as parse_error', async () => {
    const calls = [
      ['POST', '/search'],
      ['POST', '/histogram'],
      ['GET', '/stats'],
    ] as const
    at.opensearch.failure = { status: 503, body: 'overloaded' }
    for (const [method, path] of calls) {
      const { status, error } = await ask(method, path, method === 'POST' ? {} : undefined)
      assert.deepEqual([status, error?.code], [502, 'search_backend_error'], path)
    }
    at.opensearch.failure = { status: 200, body: '<html>' }
    for (const [method, path] of calls) {
      const { status, error } = await ask(method, path, method === 'POST' ? {} : undefined)
      assert.deepEqual([status, error?.code], [500, 'parse_error'], path)
    }
    assert.deepEqual((await ask('GET', '/preserved-count')).data, { count: 0 })
  })

  test('are counted by day in the statistics', async () => {
    put('one')
    put('two')
    put('old', { '@timestamp': '2026-01-01T10:00:00Z' })
    const { data } = await ask('GET', '/stats')
    assert.deepEqual([data.documents, data.disk_used_percent, data.days.length], [3, 40, 2])
    assert.deepEqual(data.days.at(-1).day, '2026-01-01')
  })

  describe('of saved searches', () => {
    const save = async (draft: object) => {
      const { status, data, error } = await ask('POST', '/saved-searches', draft)
      assert.equal(status, 200, error?.message)
      return data
    }
    const preserved = async () => (await ask('GET', '/preserved-count')).data.count
    const apply = async () => {
      const { data } = await ask('POST', '/retention/apply')
      await until(async () => {
        const row = await at.panel.store.db
          .selectFrom('jobs')
          .select('state')
          .where('id', '=', data.job_id)
          .executeTakeFirst()
        return row?.state === 'succeeded'
      })
    }

    test('are flagged at once, and no longer when the search is deleted', async () => {
      put('incident one')
      put('nothing')
      const { id, preserve_data } = await save({ name: 'incidents', query: 'incident', preserve_data: 1 })
      assert.equal(preserve_data, 1)
      await until(async () => (await preserved()) === 1)
      assert.equal((await ask('DELETE', `/saved-searches/${id}`)).status, 200)
      await until(async () => (await preserved()) === 0)
      assert.equal((await ask('DELETE', `/saved-searches/${id}`)).status, 200)
    })

    test('have an expiry, and are listed the newest first', async () => {
      for (const expiry of ['6m', '1y', 'never', '', 'x']) await save({ name: `in ${expiry}`, expiry })
      const { data } = await ask('GET', '/saved-searches')
      const years = data.map(({ expires_at: end }: { expires_at: string | null }) =>
        end === null ? null : Math.round(((Date.parse(end) - Date.now()) / 86_400_000 / 365.25) * 2) / 2,
      )
      assert.deepEqual(years, [2, 2, null, 1, 0.5])
      for (const { id } of data) await ask('DELETE', `/saved-searches/${id}`)
    })

    test('notify from their number of lines within their time on, and anew once there were fewer', async () => {
      const on = { queries: logstoreQueries(at.panel.store), opensearch: at.panel.tools.opensearch }
      const titles = async () => (await readAlerts(on)).map(({ title }) => title)
      const alert = { query: 'failed', alert_threshold: 2, alert_minutes: 5 }
      const { id, ...saved } = await save({ name: 'failures', ...alert })
      assert.deepEqual([saved.alert_threshold, saved.alert_minutes], [2, 5])
      await save({ name: 'grave', ...alert, severity: 'err,crit', alert_threshold: 1 })
      await save({ name: 'unreadable', ...alert, query: '"open' })
      await save({ name: 'silent', query: 'failed' })
      const stale = new Date(Date.now() - 10 * 60_000).toISOString()
      put('failed long ago', { '@timestamp': stale, severity: 'err' })
      put('failed once')
      assert.deepEqual(await titles(), [])
      put('failed twice', { severity: 'crit' })
      assert.deepEqual(await titles(), ['grave: 1 line within 5 min', 'failures: 2 lines within 5 min'])
      at.opensearch.failure = { status: 503, body: 'overloaded' }
      await assert.rejects(titles(), 'an outage must not end an alert')
      at.opensearch.failure = undefined
      at.opensearch.indices.clear()
      assert.deepEqual(await titles(), [])
      put('failed again')
      put('failed again')
      const [again] = await readAlerts(on)
      assert.deepEqual([again?.key, again?.lasts], [`log-alert:${id}`, true])
      for (const each of (await ask('GET', '/saved-searches')).data)
        await ask('DELETE', `/saved-searches/${each.id}`)
    })

    test('have at most 50 alerts', async () => {
      const draft = { name: 'x', query: 'x', alert_threshold: 1 }
      for (let count = 0; count < 50; count++) await save(draft)
      const { status, error } = await ask('POST', '/saved-searches', draft)
      assert.deepEqual([status, error?.code], [400, 'bad_request'])
      await save({ ...draft, alert_threshold: 0 })
      for (const each of (await ask('GET', '/saved-searches')).data)
        await ask('DELETE', `/saved-searches/${each.id}`)
    })

    test('are none where the store cannot be read', async () => {
      const { schema } = at.panel.store.db
      await schema.alterTable('logstore_saved_searches').renameTo('elsewhere').execute()
      const { status, data } = await ask('GET', '/saved-searches')
      assert.deepEqual([status, data], [200, []])
      await schema.alterTable('elsewhere').renameTo('logstore_saved_searches').execute()
    })

    test('are refused with missing_name or invalid_body', async () => {
      for (const draft of [{}, { name: ' ' }])
        assert.equal((await ask('POST', '/saved-searches', draft)).error?.code, 'missing_name')
      for (const draft of [
        { name: 1 },
        { name: 'x', severity: 'err,bad' },
        { name: 'x', time_range: 'x' },
        { name: 'x', preserve_data: 2 },
        { name: 'x', alert_threshold: -1 },
        { name: 'x', alert_minutes: 0 },
        { name: 'x', alert_minutes: 1441 },
      ]) {
        const { status, error } = await ask('POST', '/saved-searches', draft)
        assert.deepEqual([status, error?.code], [400, 'invalid_body'], JSON.stringify(draft))
      }
    })

    test('outlive the retention, in days that are otherwise deleted', async () => {
      const day = '2026-01-02T10:00:00Z'
      put('incident two', { '@timestamp': day })
      put('nothing', { '@timestamp': day })
      put('nothing', { '@timestamp': '2026-01-03T10:00:00Z' })
      put('today')
      await save({ name: 'kept', query: 'incident', time_range: 'now-24h', preserve_data: 1 })
      await apply()
      assert.deepEqual(
        [...at.opensearch.indices].map(([index, docs]) => [index, docs.map(({ message }) => message)]),
        [
          [indexOf(day), ['incident two']],
          [indexOf(today()), ['today']],
        ],
      )
    })

    test('with a query that cannot be read are refused, and keep no old lines where they were saved before', async () => {
      const unreadable = { name: 'unreadable', query: '"open', preserve_data: 1 }
      await save(unreadable) // without any line, OpenSearch reads every query
      put('today')
      const { status, error } = await ask('POST', '/saved-searches', unreadable)
      assert.deepEqual([status, error?.code], [400, 'bad_request'])
      assert.match(error?.message ?? '', /^query: Failed to parse query/)
      at.opensearch.failure = { status: 503, body: 'overloaded' }
      await save({ name: 'saved during an outage', query: 'incident', preserve_data: 1 })
      at.opensearch.failure = undefined
      put('an incident', { '@timestamp': '2026-01-02T10:00:00Z' })
      put('nothing', { '@timestamp': '2026-01-03T10:00:00Z' })
      await apply()
      assert.deepEqual([...at.opensearch.indices.keys()].toSorted(), [
        'hostreeve-logs-2026.01.02',
        indexOf(today()),
      ])
      for (const each of (await ask('GET', '/saved-searches')).data)
        await ask('DELETE', `/saved-searches/${each.id}`)
    })

    test('of a source that was deleted wait no longer in the spool', async () => {
      const spool = `${at.panel.root}/var/spool/rsyslog`
      mkdirSync(spool, { recursive: true })
      writeFileSync(`${spool}/hostreeve-source-999.qi`, '')
      await apply()
      assert.equal(existsSync(`${spool}/hostreeve-source-999.qi`), false)
    })

    test('are kept while the disk is full, which deletes the oldest days but not the last', async () => {
      for (const day of ['01', '02', '03'])
        put('x', { '@timestamp': `${today().slice(0, 8)}${day}T00:00:00Z` })
      at.opensearch.diskPercent = 95
      await ask('PUT', '/retention', { max_age_days: 3650, max_disk_percent: 90 })
      await apply()
      assert.equal(at.opensearch.indices.size, 1)
    })
  })

  test('have a retention that is set within its limits', async () => {
    const wanted = { max_age_days: 14, max_disk_percent: 80 }
    assert.deepEqual((await ask('PUT', '/retention', wanted)).data, wanted)
    assert.deepEqual((await ask('PUT', '/retention', { ...wanted, max_age_days: 7 })).data.max_age_days, 7)
    assert.equal((await ask('GET', '/retention')).data.max_age_days, 7)
    for (const bad of [{ max_age_days: 0 }, { max_disk_percent: 95 }])
      assert.equal((await ask('PUT', '/retention', { ...wanted, ...bad })).status, 400)
  })

  test('are for superusers alone', async () => {
    const keeper = await at.panel.person({ permissions: ['administrative_operations'] })
    for (const [method, path] of [
      ['POST', 'search'],
      ['GET', 'stats'],
      ['GET', 'saved-searches'],
      ['GET', 'retention'],
    ] as const) {
      const given = method === 'POST' ? { body: {} } : {}
      assert.equal(
        (await at.panel.request(method, `/api/logstore/${path}`, { as: keeper, ...given })).status,
        403,
      )
    }
  })
})
