import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { WebSocket } from 'ws'
import { Unavailable } from '../../src/core/problem.ts'
import { openForms } from './panel.fixture.ts'

let sample: Awaited<ReturnType<typeof openForms>>
let host: string
before(async () => {
  sample = await openForms()
  await sample.http.app.listen({ host: '127.0.0.1', port: 0 })
  host = `127.0.0.1:${(sample.http.app.server.address() as AddressInfo).port}`
})
after(async () => {
  await sample.http.stop(100)
  await sample.store.close()
})

const connect = (path: string, headers: Record<string, string> = {}) =>
  new WebSocket(`ws://${host}/api/forms${path}`, { headers })

/** The status and code with which an upgrade is refused. */
async function refusal(path: string, headers?: Record<string, string>): Promise<readonly unknown[]> {
  const socket = connect(path, headers).on('error', () => {})
  const opened = once(socket, 'open').then(() => socket.terminate())
  const outcome = await Promise.race([once(socket, 'unexpected-response'), opened])
  if (!Array.isArray(outcome)) return [101]
  const [, answer] = outcome
  let text = ''
  for await (const chunk of answer) text += String(chunk)
  return [answer.statusCode, JSON.parse(text).error.code]
}

/** Opens the terminal and reads its greeting. */
async function open(token = 'once') {
  sample.tokens.set(token, 'terminal')
  const socket = connect(`/5/terminal?token=${token}`)
  const [greeting] = await once(socket, 'message')
  return { socket, greeting: String(greeting) }
}

const closed = async (socket: WebSocket) => {
  const [code, reason] = await once(socket, 'close')
  return [code, String(reason)]
}

describe('a socket', () => {
  beforeEach(() => void sample.tokens.set('once', 'terminal'))

  it('is opened by a token for its purpose, carries text and bytes, and ends with its run', async () => {
    const { socket, greeting } = await open()
    assert.equal(greeting, '2@example.com 5 7')
    for (const [sent, isBinary] of [
      ['text', false],
      [Buffer.from([0, 255]), true],
    ] as const) {
      socket.send(sent)
      const [received, binary] = await once(socket, 'message')
      assert.deepEqual([received, binary], [Buffer.from(sent), isBinary])
    }
    socket.send('done')
    assert.deepEqual(await closed(socket), [1000, ''])
  })

  it('refuses a token that is missing, unknown, used, or for another purpose', async () => {
    const { socket } = await open()
    socket.terminate()
    sample.tokens.set('other', 'container')
    for (const query of ['', '?token=', '?token=once', '?token=unknown', '?token=other'])
      assert.deepEqual(await refusal(`/5/terminal${query}`), [401, 'unauthorized'])
  })

  it('keeps the token where the upgrade is refused', async () => {
    assert.deepEqual(await refusal('/0/terminal?token=once'), [400, 'bad_request'])
    assert.deepEqual(await refusal('/5/terminal?token=once', { origin: 'https://evil.example' }), [
      403,
      'forbidden',
    ])
    assert.deepEqual(await refusal('/5/terminal?token=once', { host: 'evil.example' }), [403, 'forbidden'])
    const { socket } = await open()
    socket.terminate()
  })

  it('is refused like a request on another path, and is no request', async () => {
    assert.deepEqual(await refusal('/nowhere'), [404, 'not_found'])
    assert.deepEqual(await refusal('/sync', { 'x-panel-sync-key': 'no' }), [401, 'unauthorized'])
    const plain = await sample.http.app.inject({ url: '/api/forms/5/terminal?token=once' })
    assert.deepEqual([plain.statusCode, plain.json().error.code], [426, 'upgrade_required'])
  })

  it('is opened once where two requests have the same token', async () => {
    const both = [connect('/5/terminal?token=once'), connect('/5/terminal?token=once')]
    const outcomes = await Promise.all(
      both.map((socket) =>
        Promise.race([
          once(socket, 'open').then(() => 101),
          once(
            socket.on('error', () => {}),
            'unexpected-response',
          ).then(([, answer]) => answer.statusCode),
        ]),
      ),
    )
    assert.deepEqual(outcomes.toSorted(), [101, 401])
    for (const socket of both) socket.terminate()
  })

  it('leaves other upgrades alone, with their bodies', async () => {
    const sent = request(`http://${host}/api/forms/probe`, {
      method: 'POST',
      headers: { authorization: 'Bearer ada', connection: 'upgrade', upgrade: 'h2c' },
    })
    sent.end(JSON.stringify({ host: 'up' }))
    const [answer] = await once(sent, 'response')
    answer.resume()
    assert.equal(answer.statusCode, 200)
  })

  it('that fails closes without its text, and the failure is logged', async () => {
    const { socket } = await open()
    socket.send('fail')
    assert.deepEqual(await closed(socket), [1011, 'the connection failed'])
    assert.match(JSON.stringify(sample.errors.map((each) => Object.keys(each))), /requestId/)
    assert.equal(sample.errors.length, 1)
  })

  it('takes at most 1 MiB a message', async () => {
    const { socket } = await open()
    socket.send(Buffer.alloc(1024 * 1024 + 1))
    assert.equal((await closed(socket))[0], 1009)
  })

  it('ends with its credential', async () => {
    const { socket } = await open()
    sample.ended.abort(new Error('the session of this stream has ended'))
    assert.deepEqual(await closed(socket), [1008, 'the session of this stream has ended'])
  })
})

describe('a peer', () => {
  it('that answers no ping is gone', async () => {
    const own = await openForms(20)
    await own.http.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = own.http.app.server.address() as AddressInfo
    const url = `ws://127.0.0.1:${port}/api/forms/5/terminal?token=once`
    assert.deepEqual(await closed(new WebSocket(url, { autoPong: false })), [1006, ''])
    own.tokens.set('once', 'terminal')
    const alive = new WebSocket(url)
    for (let count = 0; count < 3; count++) await once(alive, 'ping')
    assert.equal(alive.readyState, WebSocket.OPEN)
    await own.http.stop(1000)
    await own.store.close()
  })
})

describe('a stopping panel', () => {
  it('closes its sockets with 1001', async () => {
    const own = await openForms()
    await own.http.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = own.http.app.server.address() as AddressInfo
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/forms/5/terminal?token=once`)
    await once(socket, 'message')
    const end = closed(socket)
    await own.http.stop(1000)
    assert.deepEqual(await end, [1001, Unavailable('The panel is stopping').message])
    await own.store.close()
  })
})
