import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { createSelfSigned } from '../../host/self-signed.ts'
import { readUploaded } from './pem.ts'
import { madeBy, type MadeCertificate } from './testing/certificates.ts'

const now = new Date('2026-11-23T12:00:00Z')
const dayMs = 86_400_000
const domain = 'shop.example.com'
const read = ({ cert, key }: MadeCertificate, chain = '', at = now) =>
  readUploaded({ certificate: `${cert}${chain}`, key }, domain, at)
const refused = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.match(error.message, message)
  return true
}

describe('an uploaded certificate', () => {
  it('is stored with its chain in order and its key at the end', async () => {
    const root = await madeBy(undefined, { name: 'Root', isAuthority: true, now })
    const middle = await madeBy(root, { name: 'Middle', isAuthority: true, now })
    const leaf = await madeBy(middle, { name: domain, now })
    const { pem, issuer, names } = read(leaf, root.cert + middle.cert)
    assert.deepEqual([issuer, names], ['Middle', [domain]])
    const parts = [...pem.matchAll(/BEGIN ([A-Z ]+)-/g)].map(([, kind]) => kind)
    assert.deepEqual(parts, ['CERTIFICATE', 'CERTIFICATE', 'CERTIFICATE', 'PRIVATE KEY'])
    assert.ok(pem.indexOf(middle.cert.trim()) < pem.indexOf(root.cert.trim()))
  })

  it('is refused where it or its chain is expired or not valid yet', async () => {
    const root = await madeBy(undefined, { name: 'Root', isAuthority: true, now, days: 2 })
    const leaf = await madeBy(root, { name: domain, now, days: 30 })
    assert.throws(
      () => read(leaf, '', new Date(now.getTime() + 31 * dayMs)),
      refused(/the certificate expired on/),
    )
    assert.throws(
      () => read(leaf, root.cert, new Date(now.getTime() + 3 * dayMs)),
      refused(/Root expired on/),
    )
    assert.throws(() => read(leaf, '', new Date(now.getTime() - 3 * dayMs)), refused(/not valid before/))
  })

  it('is refused for another name; a wildcard covers one label', async () => {
    const of = (name: string) => madeBy(undefined, { name, now })
    const other = await of('other.example.com')
    assert.throws(() => read(other), refused(/is for other\.example\.com, not for shop\.example\.com/))
    assert.throws(
      () => readUploaded({ certificate: other.cert, key: other.key }, 'a.b.example.com', now),
      Problem,
    )
    assert.equal(read(await of('*.example.com')).names[0], '*.example.com')
  })

  it('is refused with a weak, wrong, encrypted or missing key', async () => {
    const leaf = await madeBy(undefined, { name: domain, now })
    const { key: wrong } = await createSelfSigned('x', [], now)
    assert.throws(() => read({ ...leaf, key: wrong }), refused(/^key: does not match/))
    assert.throws(() => read({ ...leaf, key: '' }), refused(/^key: must be one private key/))
    assert.throws(() => read({ ...leaf, key: leaf.key + wrong }), refused(/not 2/))
    const weak = await madeBy(undefined, { name: domain, now, rsaBits: 1024 })
    assert.throws(() => read(weak), refused(/RSA with 1024 bits/))
    const encrypted = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
    })
    const traditional = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'x' },
    })
    assert.match(traditional.privateKey, /Proc-Type: 4,ENCRYPTED/)
    for (const key of [encrypted.privateKey, traditional.privateKey])
      assert.throws(() => read({ ...leaf, key }), refused(/passphrase/))
  })

  it('is refused where it is for clients alone', async () => {
    const [server, client] = ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']
    const forClients = await madeBy(undefined, { name: domain, now, usages: [client] })
    assert.throws(() => read(forClients), refused(/extended key usage lacks serverAuth/))
    const forBoth = await madeBy(undefined, { name: domain, now, usages: [client, server] })
    assert.deepEqual(read(forBoth).names, [domain])
  })

  it('is refused with 100 chains, a stray certificate, or no certificate', async () => {
    const leaf = await madeBy(undefined, { name: domain, now })
    const stray = await madeBy(undefined, { name: 'Stray', now })
    assert.throws(() => read(leaf, leaf.cert.repeat(99)), refused(/has 100 certificates/))
    assert.throws(() => read(leaf, stray.cert), refused(/Stray is not part of its chain/))
    assert.throws(() => read({ cert: 'garbage', key: leaf.key }), refused(/contains no certificate/))
    const broken = leaf.cert.replace(/[A-Za-z]{20}/, 'A'.repeat(20))
    assert.throws(() => read({ cert: broken, key: leaf.key }), Problem)
  })
})
