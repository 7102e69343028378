import 'reflect-metadata' // required by @peculiar/x509, and must be loaded first
import * as x509 from '@peculiar/x509'
import { webcrypto } from 'node:crypto'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** Creates a self-signed certificate of a host name with its key, as PEM, for servers of tests. */
export async function makeCertificate(
  host: string,
): Promise<{ readonly cert: string; readonly key: string }> {
  x509.cryptoProvider.set(webcrypto as never)
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${host}`,
    signingAlgorithm: algorithm,
    keys: keys as never,
    extensions: [
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: host }]),
      new x509.BasicConstraintsExtension(true),
    ],
  })
  const key = x509.PemConverter.encode(
    await webcrypto.subtle.exportKey('pkcs8', keys.privateKey),
    'PRIVATE KEY',
  )
  return { cert: certificate.toString('pem'), key }
}
