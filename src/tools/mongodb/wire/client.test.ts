import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { type BsonDocument, decodeBson, encodeBson } from './bson.ts'
import { connectDocuments } from './client.ts'

async function serve(t: TestContext, answer: (command: BsonDocument, socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => answer(decodeBson(Buffer.from(bytes).subarray(21)), socket))
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function message(reply: BsonDocument): Buffer {
  const body = encodeBson(reply)
  const head = Buffer.alloc(21)
  head.writeInt32LE(head.length + body.length)
  head.writeInt32LE(2013, 12)
  return Buffer.concat([head, body])
}

const to = (port: number, timeoutMs = 10_000) =>
  connectDocuments({ port: async () => port, credentials: async () => undefined, timeoutMs })

test('names the database in a command, and returns the reply, in however many pieces it comes', async (t) => {
  const port = await serve(t, (command, socket) => {
    for (const byte of message({ ok: 1, seen: command })) socket.write(Buffer.of(byte))
  })
  assert.deepEqual(await to(port).run('shop', { ping: 1 }), { ok: 1, seen: { ping: 1, $db: 'shop' } })
})

test('passes on why the server refuses', async (t) => {
  const port = await serve(t, (_command, socket) =>
    socket.write(message({ ok: 0, errmsg: 'not authorized', code: 13 })),
  )
  await assert.rejects(to(port).run('shop', { ping: 1 }), { message: 'MongoDB: not authorized' })
})

test('a server that is silent, closes, sends something else or is not there does not answer', async (t) => {
  const silent = await serve(t, () => {})
  await assert.rejects(to(silent, 50).run('admin', { ping: 1 }), /did not answer within 50 ms/)
  const closing = await serve(t, (_command, socket) => void socket.end())
  await assert.rejects(to(closing).run('admin', { ping: 1 }), /the connection was closed/)
  const other = await serve(t, (_command, socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await assert.rejects(to(other).run('admin', { ping: 1 }), /no message of MongoDB/)
  const broken = await serve(t, (_command, socket) => {
    const reply = message({ ok: 1 })
    reply.writeInt32LE(99, 21)
    socket.write(reply)
  })
  await assert.rejects(to(broken).run('admin', { ping: 1 }), /cannot be reached: a size is wrong/)
  await assert.rejects(to(1).run('admin', { ping: 1 }), /cannot be reached: connect ECONNREFUSED/)
})

test('a server that takes any password is not believed', async (t) => {
  const port = await serve(t, (command, socket) => {
    const sent = Buffer.from((command['payload'] ?? '') as Uint8Array).toString()
    const nonce = /r=([^,]+)/.exec(sent)?.[1] ?? ''
    const payload = command['saslStart'] === 1 ? `r=${nonce}x,s=AAAA,i=4096` : 'v=AAAA'
    socket.write(message({ ok: 1, conversationId: 1, payload: Buffer.from(payload), done: true }))
  })
  const credentials = async () => ({ username: 'hostreeve', password: 'hunter2' })
  const connection = connectDocuments({ port: async () => port, credentials })
  await assert.rejects(connection.run('admin', { ping: 1 }), (error: Error) => {
    assert.match(error.message, /could not prove that it knows the password/)
    assert.doesNotMatch(error.message, /hunter2/)
    return true
  })
})
