import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { parseRemoteUrl } from './remote-url.ts'
import { openRelay, type Relay, type RelayLimits } from './relay.ts'

/** A greeting without sign-in and the request for a connection to a name. */
const request = (host: string, port: number) =>
  Buffer.concat([
    Buffer.from([5, 1, 0, 5, 1, 0, 3, host.length]),
    Buffer.from(host),
    Buffer.from([port >> 8, port & 255]),
  ])

describe('the relay from a namespace to one host', () => {
  let [server, port] = [{} as Server, 0]
  const relays: Relay[] = []
  before(async () => {
    server = createServer((socket) =>
      socket.on('data', (part) => socket.write(part.toString().toUpperCase())).on('error', () => {}),
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  after(async () => {
    await Promise.all(relays.map((relay) => relay.close()))
    server.close()
  })
  const open = async (text: string, limits: Partial<RelayLimits> = {}, to = port) => {
    const relay = await openRelay(
      parseRemoteUrl(text),
      { host: 'git.test', port: to, address: '127.0.0.1', family: 4 },
      limits,
    )
    relays.push(relay)
    const path = relay.network.binds[relay.network.binds.indexOf('--bind') + 1] ?? ''
    const socket = connect({ path })
    await once(socket, 'connect')
    return { relay, socket, path }
  }
  /** What comes until the other side ends it, or as many bytes as are waited for. */
  const read = async (socket: Socket, size = Infinity) => {
    let bytes = Buffer.alloc(0)
    for await (const part of socket) {
      bytes = Buffer.concat([bytes, part as Buffer])
      if (bytes.length >= size) break
    }
    return bytes
  }

  it('reaches that host, and no other name or port', async () => {
    const { socket } = await open(`https://git.test:${port}/x`)
    socket.write(Buffer.concat([request('GIT.test', port), Buffer.from('hello')]))
    assert.equal((await read(socket, 17)).subarray(12).toString(), 'HELLO')
    for (const bad of [
      request('other.test', port),
      request('git.test', port + 1),
      request('127.0.0.1', port),
    ]) {
      const other = await open(`https://git.test:${port}/x`)
      other.socket.write(bad)
      assert.deepEqual([...(await read(other.socket))].slice(0, 4), [5, 0, 5, 2])
      assert.match(other.relay.problem() ?? '', /another host/)
    }
  })

  it('closes connections that are not SOCKS, that authenticate, listen, or request nothing', async () => {
    for (const bad of [
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      Buffer.from([5, 1, 2]),
      Buffer.from([5, 1, 0, 5, 2, 0, 1]),
      Buffer.from([5, 1, 0, 5, 1, 0, 9, 0]),
    ]) {
      const { socket } = await open(`https://git.test:${port}/x`)
      socket.write(bad)
      assert.ok((await read(socket)).length <= 2)
    }
    const { socket } = await open(`https://git.test:${port}/x`, { connectMs: 50 })
    assert.equal((await read(socket)).length, 0)
  })

  it('is a plain tunnel for ssh', async () => {
    const { socket } = await open(`ssh://git@git.test:${port}/x`)
    socket.write('hello')
    assert.equal((await read(socket, 5)).toString(), 'HELLO')
  })

  it('reports why the host cannot be reached', async () => {
    const { relay, socket } = await open('https://git.test:1/x', {}, 1)
    socket.write(request('git.test', 1))
    assert.deepEqual([...(await read(socket))].slice(2, 4), [5, 5])
    assert.equal(relay.problem(), 'the connection was refused')
  })

  it('closes after too many bytes, and when idle', async () => {
    const { relay, socket } = await open(`ssh://git@git.test:${port}/x`, { maxBytes: 100_000 })
    socket.on('error', () => {})
    socket.write(Buffer.alloc(200_000, 97))
    await read(socket).catch(() => {})
    assert.match(relay.problem() ?? '', /more than 100000 bytes/)
    const idle = await open(`ssh://git@git.test:${port}/x`, { idleMs: 50 })
    assert.equal((await read(idle.socket)).length, 0)
  })

  it('leaves no files when it is closed', async () => {
    const { relay, path, socket } = await open(`ssh://git@git.test:${port}/x`)
    await relay.close()
    assert.equal((await read(socket)).length, 0)
    assert.equal(existsSync(path), false)
  })
})
