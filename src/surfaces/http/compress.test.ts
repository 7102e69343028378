import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { fixedText, sendText } from './compress.ts'

const long = JSON.stringify({ data: 'text '.repeat(1000) })
const short = JSON.stringify({ data: 'text' })

describe('a text response', () => {
  const app = Fastify()
  app.get('/long', async (_request, reply) => sendText(reply.type('application/json'), long))
  app.get('/short', async (_request, reply) => sendText(reply.type('application/json'), short))
  const sendLong = fixedText(Buffer.from(long))
  app.get('/fixed', async (_request, reply) => sendLong(reply.type('application/json')))
  app.get('/tagged', async (_request, reply) => sendText(reply.header('etag', '"7"'), long))
  before(() => app.ready())
  after(() => app.close())

  const get = (url: string, encoding?: string) =>
    app.inject({ url, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } })

  it('is compressed with the best coding that the client accepts', async () => {
    const best = await get('/long', 'gzip, deflate, br')
    assert.equal(best.headers['content-encoding'], 'br')
    assert.equal(brotliDecompressSync(best.rawPayload).toString(), long)
    assert.equal(Number(best.headers['content-length']), best.rawPayload.length)
    const other = await get('/long', 'gzip, br;q=0')
    assert.equal(other.headers['content-encoding'], 'gzip')
    assert.equal(gunzipSync(other.rawPayload).toString(), long)
    assert.deepEqual([best.headers['vary'], other.headers['vary']], ['accept-encoding', 'accept-encoding'])
  })

  it('that stays the same is compressed in the same way, each time', async () => {
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const { headers, rawPayload } = await get('/fixed', encoding)
      assert.deepEqual(
        [headers['content-encoding'], headers['vary'], unpack(rawPayload).toString()],
        [encoding, 'accept-encoding', long],
      )
    }
    assert.equal((await get('/fixed')).payload, long)
  })

  it('is sent as it is to a client that accepts no coding, and tells caches that it varies', async () => {
    for (const encoding of [undefined, 'identity', 'zstd', 'br;q=0, gzip;q=0']) {
      const { headers, payload } = await get('/long', encoding)
      assert.deepEqual(
        [payload, headers['content-encoding'], headers['vary']],
        [long, undefined, 'accept-encoding'],
      )
    }
  })

  it('is sent as it is if it is short, or has an ETag', async () => {
    const responses = [await get('/short', 'br'), await get('/tagged', 'br')]
    for (const { headers } of responses) assert.equal(headers['content-encoding'], undefined)
    assert.deepEqual(
      responses.map(({ payload }) => payload),
      [short, long],
    )
  })
})
