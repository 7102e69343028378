import assert from 'node:assert/strict'
import { appendFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { scratchRoot } from '../../../test/support/step-suite.ts'
import { type LogPosition, readTraffic, withPath } from './traffic.ts'

const line = (time: string, request: string, rest = '200 512 "-" "agent" 0.012') =>
  `203.0.113.9 - - [${time}] "${request}" ${rest}\n`
const at4 = '24/Nov/2026:04:08:15 +0000'

function logOf(t: TestContext) {
  const path = `${scratchRoot(t)}/access.log`
  const read = (since: LogPosition | null = null) => readTraffic(path, since, AbortSignal.timeout(60_000))
  return { path, read }
}

test('sums requests, bytes and statuses by the hour in UTC, whatever the zone of the host', async (t) => {
  const { path, read } = logOf(t)
  writeFileSync(
    path,
    line(at4, 'GET / HTTP/1.1') +
      line('24/Nov/2026:05:59:59 +0100', 'GET /missing HTTP/1.1', '404 100 "-" "-" 0.001') +
      line('24/Nov/2026:05:00:00 +0000', 'GET /a HTTP/1.1', '301 0 "-" "-" 0.000') +
      line('24/Nov/2026:05:00:00 +0000', '\\x16\\x03', '400 157 "-" "-" 0.100'),
  )
  const { hours } = await read()
  assert.deepEqual(
    [...hours].map(([hour, { requests, bytes, statuses }]) => [hour, requests, bytes, statuses]),
    [
      ['2026-11-24T04', 2, 612, [0, 1, 0, 1, 0]],
      ['2026-11-24T05', 2, 157, [0, 0, 1, 1, 0]],
    ],
  )
})

test('shows the slowest paths without their queries, each once', async (t) => {
  const { path, read } = logOf(t)
  const many = Array.from({ length: 30 }, (_, index) =>
    line(at4, `GET /p${index}?secret=1 HTTP/1.1`, `200 1 "-" "-" 0.${100 + index}`),
  )
  writeFileSync(path, [...many, line(at4, 'GET /p29#x HTTP/1.1', '200 1 "-" "-" 12.500')].join(''))
  const slowest = (await read()).hours.get('2026-11-24T04')?.slowest ?? []
  assert.equal(slowest.length, 10)
  assert.deepEqual(slowest.slice(0, 2), [
    { path: '/p29', seconds: 12.5 },
    { path: '/p28', seconds: 0.128 },
  ])
  assert.deepEqual(withPath([{ path: '/a', seconds: 2 }], { path: '/a', seconds: 1 }), [
    { path: '/a', seconds: 2 },
  ])
})

test('leaves out lines that nginx cannot have written, and reads those of the combined format', async (t) => {
  const { path, read } = logOf(t)
  writeFileSync(
    path,
    [
      'garbage\n',
      '\n',
      '"""""""""""""""""""""""""""""""""""""""""""""""\n',
      `${'x'.repeat(3 * 1024 * 1024)}\n`,
      line('99/Foo/2026:04:08:15 +0000', 'GET / HTTP/1.1'),
      line(at4, 'GET /\0 HTTP/1.1', 'abc 512 "-" "-" 0.1'),
      line(at4, 'GET /old HTTP/1.1', '200 7 "-" "agent"'),
      line(at4, 'GET /[1] HTTP/1.1', '200 1 "-" "a \\x22quote\\x22" 0.500'),
    ].join(''),
  )
  const { hours } = await read()
  assert.deepEqual([...hours.keys()], ['2026-11-24T04'])
  const hour = hours.get('2026-11-24T04')
  assert.deepEqual([hour?.requests, hour?.bytes], [2, 8])
  assert.deepEqual(hour?.slowest, [{ path: '/[1]', seconds: 0.5 }])
})

const requests = (read: Awaited<ReturnType<typeof readTraffic>>) =>
  [...read.hours.values()].reduce((sum, hour) => sum + hour.requests, 0)

test('counts no line twice and none half', async (t) => {
  const { path, read } = logOf(t)
  const whole = line(at4, 'GET / HTTP/1.1')
  writeFileSync(path, whole + whole.slice(0, 40))
  const first = await read()
  assert.equal(requests(first), 1)
  appendFileSync(path, whole.slice(40))
  const second = await read(first.position)
  assert.equal(requests(second), 1)
  assert.equal(requests(await read(second.position)), 0)
})

test('reads a rotated log to its end, and one that was emptied anew', async (t) => {
  const { path, read } = logOf(t)
  const whole = line(at4, 'GET / HTTP/1.1')
  writeFileSync(path, whole)
  const { position } = await read()
  appendFileSync(path, whole + whole)
  renameSync(path, `${path}.1`)
  writeFileSync(path, whole)
  const later = await read(position)
  assert.equal(requests(later), 3)
  assert.equal(requests(await read({ inode: 1, offset: 9999 })), 4, 'a later log was rotated')
  truncateSync(path, 0)
  appendFileSync(path, whole.slice(0, -1).replace('/', '/x/').slice(0, 20))
  assert.equal(requests(await read(later.position)), 0)
  writeFileSync(path, whole.replace('GET /', 'GET'))
  assert.equal(requests(await read({ ...later.position!, offset: 10_000 })), 1)
})

test('is nothing where there is no log', async (t) => {
  const { read } = logOf(t)
  assert.deepEqual(await read(), { position: null, hours: new Map() })
})

test('sums what Apache has logged, with its milliseconds and its quotes', async (t) => {
  const { path, read } = logOf(t)
  writeFileSync(
    path,
    line(at4, 'GET /a?q=\\"x\\" HTTP/1.1', '200 512 "-" "a \\"quoted\\" agent" 1250ms') +
      line(at4, 'GET /b HTTP/1.1', '404 100 "-" "-" 0ms'),
  )
  const hour = (await read()).hours.get('2026-11-24T04')
  assert.deepEqual([hour?.requests, hour?.bytes, hour?.statuses], [2, 612, [0, 1, 0, 1, 0]])
  assert.deepEqual(hour?.slowest[0], { path: '/a', seconds: 1.25 })
})
