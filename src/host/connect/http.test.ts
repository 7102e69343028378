import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { test, type TestContext } from 'node:test'
import { connectHttp, type HttpTarget } from './http.ts'

async function serve(t: TestContext, listener: RequestListener): Promise<HttpTarget> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return { name: 'sampled', at: { port: (server.address() as AddressInfo).port } }
}

const json = { 'content-type': 'application/json' }

test('sends JSON with a header that is read for each request, and parses the reply', async (t) => {
  const target = await serve(t, async (request, answer) => {
    const sent = Buffer.concat(await request.toArray()).toString()
    const { method, url, headers } = request
    answer.writeHead(201, json).end(JSON.stringify({ method, url, key: headers['x-api-key'], sent }))
  })
  let reads = 0
  const { send } = connectHttp({ ...target, headers: () => ({ 'X-API-Key': `key ${++reads}` }) })
  await send({ method: 'GET', path: '/zones' })
  assert.deepEqual(await send({ method: 'POST', path: '/zones', body: { name: 'a' } }), {
    status: 201,
    body: { method: 'POST', url: '/zones', key: 'key 2', sent: '{"name":"a"}' },
  })
})

test('connects to a Unix socket', async (t) => {
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-connect-`)
  const socketPath = `${folder}/api.sock`
  const server = createServer((_request, answer) => void answer.end('hello')).listen(socketPath)
  t.after(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })
  await once(server, 'listening')
  const { send } = connectHttp({ name: 'sampled', at: { socketPath } })
  assert.deepEqual(await send({ method: 'GET', path: '/' }), { status: 200, body: 'hello' })
})

test('a reply that is too large, or that does not come, ends in a failure without the secret', async (t) => {
  const headers = () => ({ authorization: 'secret-token' })
  const large = await serve(t, (_request, answer) => void answer.end('x'.repeat(2000)))
  const { send } = connectHttp({ ...large, headers, maxBytes: 1000 })
  await assert.rejects(send({ method: 'GET', path: '/' }), { message: 'sampled sent more than 1000 bytes' })
  const silent = await serve(t, () => {})
  await assert.rejects(
    connectHttp({ ...silent, headers, timeoutMs: 50 }).send({ method: 'GET', path: '/' }),
    { message: 'sampled did not answer within 50 ms' },
  )
  const stalled = await serve(t, (_request, answer) => void answer.writeHead(200).write('x'))
  await assert.rejects(connectHttp({ ...stalled, timeoutMs: 50 }).send({ method: 'GET', path: '/' }), {
    message: 'sampled did not answer within 50 ms',
  })
})

test('a program that does not run is named', async () => {
  const at = { socketPath: '/run/hostreeve-test-missing.sock' }
  await assert.rejects(connectHttp({ name: 'sampled', at }).send({ method: 'GET', path: '/' }), {
    message: /^sampled cannot be reached: connect ENOENT/,
  })
})

test('what is called JSON and is not is passed on as text', async (t) => {
  const target = await serve(t, (_request, answer) => void answer.writeHead(500, json).end('oops'))
  assert.deepEqual(await connectHttp(target).send({ method: 'GET', path: '/' }), {
    status: 500,
    body: 'oops',
  })
})
