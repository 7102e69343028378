import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { type WebSocket, WebSocketServer } from 'ws'
import { until } from '../../../test/support/until.ts'
import { openAddresses } from './addresses.ts'
import { type Dialled, openDial } from './dial.ts'

describe('a WebSocket of another server', () => {
  const dial = openDial(openAddresses({ resolve: async () => ['127.0.0.1'] }))
  const ended = new AbortController()
  let server: WebSocketServer
  let port: number
  let refuses = false
  const accepted: WebSocket[] = []
  const headers: unknown[] = []
  before(async () => {
    server = new WebSocketServer({ host: '127.0.0.1', port: 0, verifyClient: () => !refuses })
    server.on('connection', (socket, request) => {
      accepted.push(socket)
      headers.push([request.headers.host, request.headers.authorization])
    })
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  after(() => {
    for (const socket of accepted) socket.terminate()
    server.close()
  })

  const open = (
    more: { readonly url?: string; readonly isAdmin?: boolean; readonly signal?: AbortSignal } = {},
  ) =>
    dial({
      url: more.url ?? `ws://partner.test:${port}/chat`,
      asker: { isAdmin: more.isAdmin ?? true },
      headers: { authorization: 'Bearer abc' },
      maxMessageBytes: 1000,
      signal: more.signal ?? ended.signal,
    })
  const theirs = () => accepted.at(-1) ?? assert.fail('nothing was accepted')
  const read = async ({ messages }: Dialled): Promise<readonly string[]> => {
    const texts: string[] = []
    for await (const text of messages) texts.push(text)
    return texts
  }

  it('carries text both ways under its own name, and leaves binary out', async () => {
    const dialled = await open()
    assert.deepEqual(headers.at(-1), [`partner.test:${port}`, 'Bearer abc'])
    const sent = once(theirs(), 'message')
    await dialled.send('hello')
    assert.equal(String((await sent)[0]), 'hello')
    theirs().send('one')
    theirs().send(Buffer.from('binary'))
    theirs().send('two')
    theirs().close()
    assert.deepEqual(await read(dialled), ['one', 'two'])
    await assert.rejects(dialled.send('late'))
  })

  it('ends with a message beyond the limit, and with its signal', async () => {
    const long = await open()
    theirs().send('x'.repeat(1001))
    await assert.rejects(read(long), /payload/i)
    const leaving = new AbortController()
    const left = await open({ signal: leaving.signal })
    leaving.abort()
    assert.deepEqual(await read(left), [])
    await until(() => theirs().readyState === theirs().CLOSED)
  })

  it('is refused with the status of the server, at internal addresses, and for other schemes', async () => {
    await assert.rejects(open({ isAdmin: false }), /resolves to an address that is refused/)
    await assert.rejects(open({ url: 'file:///etc/passwd' }), /must begin with http/)
    await assert.rejects(open({ url: 'ws://127.0.0.1:1/' }), /the connection was refused/)
    refuses = true
    await assert.rejects(open(), /the server answered 401/)
    refuses = false
  })
})
