import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { Problem } from '../../src/core/problem.ts'
import type { Route } from '../../src/surfaces/routes.ts'
import { openTestPanel, type Person, type TestPanel } from '../support/panel.ts'
import { answerUntilClosed, type RawRequest, sendRaw } from '../support/raw-request.ts'

const waitsMs = 150
const limitMs = 20_000
const secret = 'of the monitoring server'
const form = 'multipart/form-data; boundary=x'
const part = (disposition: string, text: string) =>
  `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}`
const name = part('name="path"', 'a\r\n')
const file = part('name="file"; filename="a"', 'bytes')

/** Bodies that stop: the number of bytes announced, and the bytes that arrive. */
const bodies: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ['nothing', { 'content-length': '9000' }, ''],
  ['half of a text', { 'content-length': '9000' }, '{"name": "'],
  ['more than is taken in', { 'content-length': '99000000' }, 'x'.repeat(40_000)],
  ['a chunk', { 'transfer-encoding': 'chunked' }, '5\r\n{"a":\r\n'],
  ['half of a chunk', { 'transfer-encoding': 'chunked' }, 'ff\r\n{"a"'],
  ['half of a field', { 'content-length': '9000', 'content-type': form }, name.slice(0, -2)],
  ['half of a file', { 'content-length': '9000', 'content-type': form }, name + file],
  ['a file, and no end', { 'content-length': '9000', 'content-type': form }, `${name}${file}\r\n--x`],
  ['two files', { 'content-length': '9000', 'content-type': form }, `${name}${file}\r\n${file}`],
  ['garbage', { 'content-length': '9000', 'content-type': form }, 'garbage'],
]
const ada = '?username=ada&path=a&name=a&offset=0'
/** Refusals of uploads before and after their stream is opened, and plans, which do not read it. */
const queries = ['', '?path=a&name=a', '?username=root&path=a', ada, `${ada}&plan=1&sha256=${'0'.repeat(64)}`]

describe('a body that stops', () => {
  let panel: TestPanel
  let tenant: Person
  let port: number
  let syncKey: string
  const bugs: Error[] = []
  const noteBug = (error: Error) => void bugs.push(error)
  before(async () => {
    const intake = { timeoutMs: waitsMs, stalledMs: waitsMs, lingerMs: waitsMs }
    const environment = { HOSTREEVE_TELEMETRY_SECRET: secret, HOSTREEVE_FEATURES: 'mailbox_backup' }
    panel = await openTestPanel({ intake, environment, accounts: new Map([['ada', { uid: 1000 }]]) })
    await panel.app.listen({ host: '127.0.0.1', port: 0 })
    tenant = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    const { data } = await panel.request('POST', '/api/authdns/sync-api-key', { as: panel.admin })
    syncKey = data.api_key
    port = (panel.app.server.address() as AddressInfo).port
    process.on('uncaughtExceptionMonitor', noteBug)
  })
  after(async () => {
    process.off('uncaughtExceptionMonitor', noteBug)
    await panel.close()
  })

  const requestTo = (
    { endpoint, path }: Route,
    [, headers, body]: (typeof bodies)[number],
    more: { readonly query?: string; readonly as?: Person },
  ): RawRequest => ({
    line: `${endpoint.method} ${path.replaceAll(/\{\w+\}/g, '1')}${more.query ?? ''}`,
    headers: {
      ...headers,
      ...(more.as && {
        authorization: `Bearer ${more.as.token}`,
        'x-telemetry-token': secret,
        ...(path.startsWith('/api/authdns/') && { 'x-panel-sync-key': syncKey }), // each area has a key of its own
      }),
    },
    body,
  })
  const assertUnharmed = async () => {
    assert.equal((await panel.request('GET', '/api/version')).status, 200)
    assert.deepEqual(bugs, [], 'it would have ended the process')
    assert.deepEqual(
      panel.log.filter(({ level, fields }) => level === 'error' && !(fields['err'] instanceof Problem)), // ada has no home
      [],
    )
  }

  it('is answered 408 by every endpoint that reads one, and its connection is closed', async () => {
    const routes = panel.routes.filter(
      ({ endpoint }) => endpoint.body !== undefined && !isUpload(endpoint) && endpoint.reply.kind !== 'rpc',
    )
    assert.ok(routes.length > 30, `only ${routes.length} endpoints take a body`)
    const stopped = bodies.filter(([what]) => what !== 'more than is taken in')
    for (const body of stopped)
      await forEachOf(routes, async (route) => {
        const raw = requestTo(route, body, { as: panel.admin })
        const { status, text } = await answerUntilClosed(sendRaw(port, raw), limitMs)
        assert.equal(status, 408, `${raw.line} with ${body[0]}: ${text}`)
        assert.match(text, /\r\nconnection: close\r\n[^]*body: must arrive within 0\.15 s/i)
      })
    await assertUnharmed()
  })

  it('of a caller without a credential is answered by every endpoint, and its connection is closed', async () => {
    for (const body of bodies.slice(0, 5))
      await forEachOf(panel.routes, async (route) => {
        const raw = requestTo(route, body, {})
        const { status, text } = await answerUntilClosed(sendRaw(port, raw), limitMs)
        const isSocket = ['socket', 'rpc'].includes(route.endpoint.reply.kind) // refused for its Host already
        const expected = route.guard.kind === 'open' ? [200, 404, 408, 413] : isSocket ? [403] : [401]
        assert.ok(expected.includes(status), `${raw.line} with ${body[0]}: ${text}`)
      })
    await assertUnharmed()
  })

  it('of an upload hurts nothing, however far it came and whatever it is refused for', async () => {
    const requests = panel.routes
      .filter(({ endpoint }) => isUpload(endpoint))
      .flatMap((route) =>
        bodies.flatMap((body) => queries.map((query) => requestTo(route, body, { query, as: tenant }))),
      )
    const answered = await forEachOf(requests, (raw) => answerUntilClosed(sendRaw(port, raw), limitMs))
    for (const status of [400, 403, 404, 408])
      assert.ok(
        answered.some((each) => each.status === status),
        `no upload was answered ${status}`,
      )
    assert.deepEqual(
      answered.filter(({ status }) => status === 0 || status === 401),
      [],
    )
    await assertUnharmed()
  })

  it('because its caller breaks off hurts nothing either', async () => {
    const requests = panel.routes
      .filter(({ endpoint }) => endpoint.body !== undefined)
      .flatMap((route) => bodies.map((body) => requestTo(route, body, { query: ada, as: tenant })))
    await forEachOf(requests, (raw, index) => leave(sendRaw(port, raw), index))
    await assertUnharmed()
  })
})

/** The kernel refuses connections beyond the backlog of the listener, 511, which are then tried again for minutes. */
const mostAtATime = 200

/** Does it for each item, as many at a time as the listener takes in. */
async function forEachOf<Item, Result>(
  items: readonly Item[],
  one: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += mostAtATime)
    results.push(...(await Promise.all(items.slice(at, at + mostAtATime).map(one))))
  return results
}

/** Ends a connection shortly after it began, in one of the two ways in which connections end. */
async function leave(socket: Socket, at: number): Promise<void> {
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve())) // the panel may be the first
  await Promise.race([once(socket, 'connect'), closed])
  for (let moment = 0; moment < at % 20; moment++) await new Promise(setImmediate)
  if (at % 2 === 0) socket.resetAndDestroy()
  else socket.destroy()
  await closed
}

function isUpload({ body }: Route['endpoint']): boolean {
  return body !== undefined && 'kind' in body && body.kind === 'upload'
}
