import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { describe, it } from 'node:test'
import { processOnPort } from './port-process.ts'

describe('the process on a port', () => {
  it('is the one that listens, and none once it has stopped', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    assert.ok(typeof address === 'object' && address)
    assert.equal((await processOnPort(address.port))?.pid, process.pid)
    await new Promise((resolve) => server.close(resolve))
    assert.equal(await processOnPort(address.port), null)
  })
})
