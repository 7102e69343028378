import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import { after, before, describe, it } from 'node:test'
import { openAddresses } from './addresses.ts'
import { openFetch } from './fetch.ts'
import { makeCertificate } from './testing/certificate.ts'

const addresses = openAddresses({ resolve: async () => ['127.0.0.1'], own: () => [] })
const asker = { isAdmin: true }
const hashOf = (key: Buffer) => createHash('sha256').update(key).digest('base64')

describe('a pinned key', () => {
  let server: Server
  let url: string
  let certificate: X509Certificate
  before(async () => {
    const pair = await makeCertificate('pinned.test')
    certificate = new X509Certificate(pair.cert)
    server = createServer(pair, (_request, response) => response.end('{}')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `https://pinned.test:${(server.address() as { port: number }).port}/`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const post = (pin: string) =>
    openFetch(addresses).post({
      ...{ url, asker, body: {}, pin, maxBytes: 1000 },
      signal: AbortSignal.timeout(60_000),
    })

  it('is the SHA-256 of the public key, and reaches the server that has it alone', async () => {
    const read = await openFetch(addresses).readKey(url, asker, AbortSignal.timeout(60_000))
    const spki = certificate.publicKey.export({ type: 'spki', format: 'der' })
    assert.deepEqual(read, { pin: hashOf(spki), isValid: false })
    assert.equal((await post(read.pin)).status, 200)
    await assert.rejects(post(`${'A'.repeat(43)}=`), /another key than before: nothing was sent/)
    await assert.rejects(post(''), /cannot be trusted/)
  })

  it('may be that of the point of an elliptic curve, as older panels kept it', async () => {
    const { pubkey } = certificate.toLegacyObject()
    assert.equal((await post(hashOf(pubkey as Buffer))).status, 200)
    await assert.rejects(post(hashOf(Buffer.alloc(0))), /another key than before/)
  })
})
