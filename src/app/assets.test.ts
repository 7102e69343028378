import assert from 'node:assert/strict'
import Fastify from 'fastify'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { serveWebPanel } from '../surfaces/http/web-panel.ts'
import { readAssets } from './assets.ts'

const script = 'export const answer = 42\n'.repeat(100)
const page = '<html><script nonce="__CSP_NONCE__"></script></html>'

describe('the files of the web panel', () => {
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-assets-`)
  const web = Fastify()
  const get = (url: string, headers: Readonly<Record<string, string>> = {}) => web.inject({ url, headers })

  before(async () => {
    mkdirSync(`${folder}/web/assets`, { recursive: true })
    writeFileSync(`${folder}/secret.js`, 'secret')
    writeFileSync(`${folder}/web/index.html`, page)
    writeFileSync(`${folder}/web/favicon.svg`, '<svg/>')
    const path = `${folder}/web/assets/index-1a2b.js`
    writeFileSync(path, script)
    writeFileSync(`${path}.gz`, gzipSync(script))
    writeFileSync(`${path}.br`, brotliCompressSync(script))
    const answer = serveWebPanel(readAssets(`${folder}/web`), page)
    web.setNotFoundHandler((request, reply) => answer(request, reply) ?? reply.code(404).send())
    await web.ready()
  })
  after(async () => {
    await web.close()
    rmSync(folder, { recursive: true })
  })

  it('are sent compressed as the browser accepts it, and kept for ever where their name has a digest', async () => {
    const path = '/assets/index-1a2b.js'
    const brotli = await get(path, { 'accept-encoding': 'gzip, deflate, br' })
    assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), script)
    assert.equal(brotli.headers['content-encoding'], 'br')
    assert.equal(brotli.headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(brotli.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(brotli.headers['vary'], 'accept-encoding')
    const gzip = await get(path, { 'accept-encoding': 'gzip;q=0.5, br;q=0' })
    assert.equal(gunzipSync(gzip.rawPayload).toString(), script)
    const plain = await get(path, { 'accept-encoding': 'identity' })
    assert.equal(plain.payload, script)
    assert.equal(plain.headers['content-encoding'], undefined)
  })

  it('are asked for again where their name has none, and not sent again while they are the same', async () => {
    const first = await get('/favicon.svg')
    assert.deepEqual([first.payload, first.headers['cache-control']], ['<svg/>', 'no-cache'])
    const second = await get('/favicon.svg', { 'if-none-match': String(first.headers['etag']) })
    assert.deepEqual([second.statusCode, second.payload], [304, ''])
  })

  it('are the only files that are served', async () => {
    for (const path of [
      '/../secret.js',
      '/assets/../../secret.js',
      '/assets/%2e%2e/%2e%2e/secret.js',
      '/secret.js',
    ])
      assert.ok(!(await get(path)).payload.includes('secret'), path)
    assert.equal((await get('/assets/index-1a2b.js.br')).statusCode, 404)
    assert.equal((await get('/api/nothing')).statusCode, 404)
    assert.match((await get('/websites/7')).payload, /nonce="[\w+/=]{24}"/)
  })
})
