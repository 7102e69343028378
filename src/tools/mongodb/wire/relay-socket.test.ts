import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { openRelay, removeDeadRelays } from './relay-socket.ts'

test('leads to the port and back, and is gone when it is closed', async (t) => {
  const server = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const relay = await openRelay((server.address() as AddressInfo).port)
  assert.equal(relay.path, relay.path.toLowerCase())
  const client = connect(relay.path)
  client.write('hello')
  const [echo] = await once(client, 'data')
  assert.equal(String(echo), 'hello')
  const closed = once(client, 'close')
  await relay.close()
  await closed
  assert.equal(existsSync(dirname(relay.path)), false)
})

test('those of killed panels are removed, and no others', async () => {
  const relay = await openRelay(1)
  const dead = `${tmpdir()}/hostreeve-mongodb-4194305-00` // no process has this number
  mkdirSync(dead)
  await removeDeadRelays()
  assert.deepEqual([existsSync(dead), existsSync(relay.path)], [false, true])
  await relay.close()
})
