import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Backend, Frontend, Server, Traffic } from '../model.ts'
import { readChecker } from './checker-message.ts'
import { inOrderOfUse, waysOf } from './flow.ts'
import { formatCount } from './numbers.ts'
import { sampleOf, sumOf } from './sample.ts'
import { changedBody, plainBody } from './server-body.ts'
import { stateOf, toneOf, worstFirst } from './states.ts'

const counted = (parts: Partial<Traffic>) =>
  ({
    kind: 'frontend',
    proxy: 'web',
    request_rate: 0,
    session_rate: 0,
    requests_total: 0,
    sessions_total: 0,
    sessions_current: 0,
    bytes_in: 0,
    bytes_out: 0,
    request_errors: 0,
    connection_errors: 0,
    response_errors: 0,
    responses_5xx: 0,
    queue_current: 0,
    response_ms: 0,
    ...parts,
  }) as Traffic

test('makes rates of two counts, and begins anew where a reload began new ones', () => {
  const first = counted({
    requests_total: 100,
    sessions_total: 40,
    bytes_out: 1000,
    responses_5xx: 2,
    request_rate: 7,
  })
  assert.equal(sampleOf(first, 0, undefined).requests, 7)
  const second = counted({ requests_total: 130, sessions_total: 50, bytes_out: 5000, responses_5xx: 4 })
  const { requests, bytesOut, failures } = sampleOf(second, 2000, { row: first, at: 0 })
  assert.deepEqual([requests, bytesOut, failures], [15, 2000, 1])
  const reloaded = counted({ requests_total: 3, sessions_total: 3, request_rate: 2 })
  assert.equal(sampleOf(reloaded, 4000, { row: second, at: 2000 }).requests, 2)
})

test('weighs response times by the requests that were answered', () => {
  const backend = (requests: number, responseMs: number) => {
    const row = counted({ kind: 'backend', response_ms: responseMs })
    return { ...row, now: { ...sampleOf(row, 0, undefined), requests } }
  }
  assert.equal(sumOf([backend(30, 10), backend(10, 50)], 0).responseMs, 20)
  assert.equal(sumOf([], 0).responseMs, 0)
})

test('takes apart what HAProxy says of lines and of the whole', () => {
  const text = `[NOTICE]   (123) : haproxy version is 2.6.12
[ALERT]    (123) : config : parsing [/etc/haproxy/haproxy.cfg:9] : unknown keyword 'x' in 'backend' section
[ALERT]    (123) : config : Proxy 'web': unable to find required default_backend: 'none'.
[ALERT]    (123) : config : Error(s) found in configuration file : /etc/haproxy/haproxy.cfg
[ALERT]    (123) : config : Fatal errors found in configuration.`
  assert.deepEqual(readChecker(text), {
    lines: [{ line: 9, message: "unknown keyword 'x' in 'backend' section" }],
    rest: ['haproxy version is 2.6.12', "Proxy 'web': unable to find required default_backend: 'none'."],
  })
  assert.deepEqual(readChecker('[ALERT] config : Fatal errors found in configuration.').rest, [
    '[ALERT] config : Fatal errors found in configuration.',
  ])
  assert.deepEqual(readChecker(''), { lines: [], rest: [] })
})

test('draws the ways of rules before the default one, and those of listen sections to themselves', () => {
  const frontend = (parts: object) =>
    ({ name: 'web', kind: 'frontend', default_backend: null, rules: [], ...parts }) as unknown as Frontend
  const backends = ['unused', 'shop', 'api', 'both'].map(
    (name) => ({ name, servers: [] }) as unknown as Backend,
  )
  const ways = waysOf(
    [
      frontend({ default_backend: 'shop', rules: [{ backend: 'api', condition: 'if is_api' }] }),
      frontend({ name: 'both', kind: 'listen' }),
    ],
    backends,
  )
  assert.deepEqual(
    ways.map(({ frontend: from, backend, condition }) => [from, backend, condition]),
    [
      ['web', 'api', 'if is_api'],
      ['web', 'shop', undefined],
      ['both', 'both', undefined],
    ],
  )
  assert.deepEqual(
    inOrderOfUse(backends, ways).map(({ name }) => name),
    ['api', 'shop', 'both', 'unused'],
  )
})

test('reads every state that HAProxy shows of a server', () => {
  const tones = {
    UP: 'good',
    OPEN: 'good',
    'UP 1/3': 'changing',
    'DOWN 1/2': 'changing',
    NOLB: 'changing',
    DOWN: 'bad',
    'no check': 'plain',
  }
  for (const [status, tone] of Object.entries(tones)) assert.equal(toneOf(status), tone, status)
  assert.deepEqual(['MAINT (via a/b)', 'DRAIN', 'UP'].map(stateOf), ['maint', 'drain', 'ready'])
  const servers = ['UP', 'MAINT', 'DOWN'].map((status) => ({ name: status, status }))
  assert.deepEqual(
    worstFirst(servers, () => undefined).map(({ name }) => name),
    ['DOWN', 'MAINT', 'UP'],
  )
})

test('writes numbers with as many digits as they deserve', () => {
  assert.deepEqual([0, 0.25, 3.14, 42, 1234.5, 56_789, 3_400_000].map(formatCount), [
    '0',
    '0.25',
    '3.1',
    '42',
    '1235',
    '57 k',
    '3.4 M',
  ])
})

test('says of a server only what the page can write, and what was changed', () => {
  const server: Server = {
    name: 'a',
    address: '192.0.2.1',
    port: 80,
    weight: null,
    status: 'UP',
    backup: false,
    ssl: true,
    check: true,
    sni: 'str(x)',
    rise: 2,
  }
  const plain = { name: 'a', address: '192.0.2.1', port: 80, ssl: true, backup: false, check: true }
  assert.deepEqual(plainBody(server), plain)
  assert.deepEqual(changedBody(server, { ...plain, weight: 5, sni: 'str(x)', rise: 3, fall: null }), {
    ...plain,
    weight: 5,
    rise: 3,
  })
})
