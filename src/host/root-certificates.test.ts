import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { test } from 'node:test'
import { isIssuedByKnownRoot } from './root-certificates.ts'
import { createSelfSigned } from './self-signed.ts'

test('knows what a root of browsers has issued, and nothing that only names one as its issuer', async () => {
  const root = new X509Certificate(rootCertificates[0]!)
  assert.equal(isIssuedByKnownRoot(root), true) // it has issued itself
  const name = /^CN=(.+)$/m.exec(root.subject)?.[1] ?? ''
  const { cert } = await createSelfSigned(name, [], new Date())
  assert.equal(isIssuedByKnownRoot(new X509Certificate(cert)), false)
})
