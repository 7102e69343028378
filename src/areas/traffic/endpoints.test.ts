import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import { collectAll } from './collect.ts'
import type { Traffic } from './context.ts'
import { trafficQueries } from './store.ts'

const hourMs = 3_600_000
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** A line of the log at a time before now. */
function line(ageMs: number, path: string, status = 200, seconds = '0.010') {
  const [date = '', time = ''] = new Date(Date.now() - ageMs).toISOString().split('T')
  const [year = '', month = '', day = ''] = date.split('-')
  return `203.0.113.9 - - [${day}/${months[Number(month) - 1]}/${year}:${time.slice(0, 8)} +0000] "GET ${path} HTTP/1.1" ${status} 100 "-" "-" ${seconds}\n`
}

describe('the statistics of a website', () => {
  let panel: TestPanel
  let ada: Person
  let id: number
  let directory: string
  before(async () => {
    panel = await openTestPanel({ hasNginx: true })
    await panel.start()
    ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    id = await addWebsite(panel, { domain: 'ada.example.com', userId: ada.id })
    directory = `${panel.root}${panel.tools.nginx.logDirectory('ada.example.com')}`
    mkdirSync(directory, { recursive: true })
  })
  after(() => panel.close())

  const log = (...lines: readonly string[]) => appendFileSync(`${directory}/access.log`, lines.join(''))
  const read = (query = '', as = ada) =>
    panel.request('GET', `/api/websites/${id}/statistics${query}`, { as })
  const collect = async (now = new Date()) =>
    collectAll(
      {
        queries: trafficQueries(panel.store),
        websites: { trustedNow: () => now } as Traffic['websites'],
        nginx: panel.tools.nginx,
        log: { info: () => {}, warn: () => {}, error: () => {} },
      },
      now,
      AbortSignal.timeout(60_000),
    )

  it('are empty at first', async () => {
    const { status, data } = await read()
    assert.equal(status, 200)
    assert.deepEqual([data.requests, data.bytes, data.hours, data.slowest], [0, 0, [], []])
  })

  it('are current before and after they were collected, and counted once', async () => {
    log(line(0, '/'), line(0, '/a?b', 404, '1.500'), line(30 * hourMs, '/old', 500))
    const figures = async () => {
      const { data } = await read()
      return [data.requests, data.bytes, data.statuses['2xx'], data.statuses['4xx'], data.slowest[0]]
    }
    const wanted = [2, 200, 1, 1, { path: '/a', seconds: 1.5 }]
    assert.deepEqual(await figures(), wanted)
    await collect()
    await collect()
    assert.deepEqual(await figures(), wanted)
    log(line(0, '/'))
    assert.equal((await figures())[0], 3)
    await collect()
    assert.equal((await figures())[0], 3)
    const { data } = await read('?hours=48')
    assert.deepEqual([data.requests, data.statuses['5xx']], [4, 1])
    assert.equal(data.hours.length, 2)
  })

  it('are collected for other websites where one log cannot be read', async () => {
    const broken = `${panel.root}${panel.tools.nginx.logDirectory('broken.example.com')}`
    mkdirSync(`${broken}/access.log`, { recursive: true })
    const { db } = panel.store
    await addWebsite(panel, { domain: 'broken.example.com', userId: ada.id })
    const last = await addWebsite(panel, { domain: 'last.example.com', userId: ada.id })
    const directoryOfLast = `${panel.root}${panel.tools.nginx.logDirectory('last.example.com')}`
    mkdirSync(directoryOfLast)
    appendFileSync(`${directoryOfLast}/access.log`, line(0, '/'))
    await collect()
    const found = await db
      .selectFrom('website_traffic')
      .select('requests')
      .where('website_id', '=', last)
      .execute()
    assert.deepEqual(
      found.map(({ requests }) => requests),
      [1],
    )
  })

  it('are kept for 90 days', async () => {
    await collect(new Date(Date.now() + 89 * 24 * hourMs))
    const stored = await trafficQueries(panel.store).since(id, '2000-01-01T00')
    assert.equal(stored.length, 1, 'the older hour is gone')
    await collect(new Date(Date.now() + 91 * 24 * hourMs))
    assert.deepEqual(await trafficQueries(panel.store).since(id, '2000-01-01T00'), [])
  })

  it('are for those who may see the website, and for at most 90 days', async () => {
    for (const hours of ['0', '2161', 'x', '-1']) {
      const { status, error } = await read(`?hours=${hours}`)
      assert.deepEqual([status, error.code], [400, 'bad_request'], hours)
      assert.match(error.message, /^hours: /)
    }
    const bob = await panel.person({ username: 'bob', permissions: ['websites_management'] })
    assert.equal((await read('', bob)).status, 404)
    assert.equal((await read('', await panel.person())).status, 403)
  })
})
