import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { type OwnCalls, openOwnCalls } from './own-calls.ts'

const mostBytes = 4 * 1024 * 1024

describe('calls of the panel to itself for agents', () => {
  let server: Server
  let answer: RequestListener
  let own: OwnCalls
  before(async () => {
    server = createServer((request, response) => answer(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    own = openOwnCalls()
    own.reachAt(portOf)
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const portOf = () => (server.address() as AddressInfo).port
  const asked = { method: 'POST', path: '/api/boxes', token: 'hrm_x', body: { label: 'ü' } }
  const call = (by = own, signal = new AbortController().signal) => by.call({ ...asked, signal })

  it('carry the token, their source and the body, and return the digest of a plan', async () => {
    let seen: IncomingMessage['headers'] = {}
    let text = ''
    answer = (request, response) => {
      seen = request.headers
      request.on('data', (piece) => (text += String(piece)))
      request.on('end', () => response.writeHead(201, { 'x-plan-digest': 'abc' }).end('{}'))
    }
    assert.deepEqual(await call(), { status: 201, text: '{}', isTruncated: false, planDigest: 'abc' })
    assert.deepEqual(
      [seen.authorization, seen['x-replication-source'], text],
      ['Bearer hrm_x', 'mcp', '{"label":"ü"}'],
    )
  })

  it('return at most 4 MiB of an answer, and say that it is cut', async () => {
    for (const [sizeBytes, isTruncated] of [
      [mostBytes, false],
      [mostBytes + 1, true],
      [2 * mostBytes, true],
    ] as const) {
      answer = (_request, response) => response.end('x'.repeat(sizeBytes))
      const { text, ...rest } = await call()
      assert.deepEqual([text.length, rest.isTruncated, rest.status], [mostBytes, isTruncated, 200])
    }
  })

  it('end with the time: without an answer they fail, and of a stream they return what came', async () => {
    const within = (limitMs: number) => {
      const hasty = openOwnCalls({ limitMs })
      hasty.reachAt(portOf)
      return call(hasty)
    }
    answer = () => {}
    await assert.rejects(within(100), { message: 'The endpoint did not answer within 0.1 s' })
    answer = (_request, response) => response.write('data: 1\n\n')
    const begun = async (limitMs: number): ReturnType<typeof within> =>
      within(limitMs).catch((error: unknown) => {
        if (limitMs > 60_000) throw error
        return begun(limitMs * 4) // a busy host had not begun the stream by then
      })
    const { text, isTruncated } = await begun(200)
    assert.deepEqual([text, isTruncated], ['data: 1\n\n', true])
  })

  it('end with the call of the agent, and fail before the panel listens', async () => {
    answer = () => {}
    const left = new AbortController()
    const waiting = call(own, left.signal)
    left.abort(new Error('the agent has left'))
    await assert.rejects(waiting, /the agent has left/)
    await new Promise((resolve) => setImmediate(resolve)) // an error that nobody hears would end the process here
    await assert.rejects(call(openOwnCalls()), /does not listen yet/)
  })
})
