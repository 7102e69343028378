import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:net'
import { test } from 'node:test'
import { findTaken } from './listen-addresses.ts'

const listen = (server: Server) =>
  new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )

test('names the process that has an address, and an address that the host does not have', async (t) => {
  const server = createServer()
  const port = await listen(server)
  t.after(() => server.close())
  const has = new RegExp(
    `^it listens on 127\\.0\\.0\\.1:${port}, which \\S+ \\(process ${process.pid}\\) has$`,
  )
  assert.match((await findTaken([{ host: '127.0.0.1', port }])) ?? '', has)
  assert.match((await findTaken([{ port }])) ?? '', new RegExp(`^it listens on port ${port}, which`))
  assert.match(
    (await findTaken([{ host: '192.0.2.1', port }])) ?? '',
    /192\.0\.2\.1:\d+, and this host does not/,
  )
  const other = createServer()
  const free = await listen(other)
  await new Promise((resolve) => other.close(resolve))
  assert.equal(await findTaken([{ host: '127.0.0.1', port: free }]), undefined)
})
