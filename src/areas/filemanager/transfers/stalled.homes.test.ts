import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { answerUntilClosed, sendRaw } from '../../../../test/support/raw-request.ts'
import { skip } from '../../../host/owner/testing/homes.ts'
import { type FilesBench, openFilesBench } from '../testing/files-bench.ts'

describe('an upload whose caller stops sending', { skip }, () => {
  let bench: FilesBench
  let port: number
  before(async () => {
    bench = await openFilesBench({ intake: { stalledMs: 2000 } })
    await bench.panel.app.listen({ host: '127.0.0.1', port: 0 })
    port = (bench.panel.app.server.address() as AddressInfo).port
  })
  after(() => bench.remove())

  const send = (line: string, body: string) =>
    answerUntilClosed(
      sendRaw(port, {
        line,
        headers: { authorization: `Bearer ${bench.alice.token}`, 'content-length': '9' },
        body,
      }),
      60_000,
    )

  it('gets 408, and leaves nothing of its file', async () => {
    const { status, text } = await send('POST /api/filemanager/upload?username=alice&name=half.txt', 'abc')
    assert.equal(status, 408, text)
    assert.deepEqual(readdirSync(bench.at()), [])
  })

  it('gets 408 and can continue after the received bytes if it is sent in parts', async () => {
    const path = '/api/filemanager/upload'
    const query = '?username=alice&resumable=true&name=parts.txt&size_bytes=9'
    const { data } = await bench.panel.request('POST', path + query, { as: bench.alice })
    const { status, text } = await send(`PATCH ${path}/${data.id}?offset=0`, 'abc')
    assert.equal(status, 408, text)
    const read = await bench.panel.request('GET', `${path}/${data.id}`, { as: bench.alice })
    assert.deepEqual([read.data.offset_bytes, existsSync(bench.at('parts.txt'))], [3, false])
  })
})
