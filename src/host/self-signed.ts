import { webcrypto } from 'node:crypto'

/** A name or address for which a certificate is valid. */
export interface AlternativeName {
  readonly type: 'dns' | 'ip'
  readonly value: string
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const validDays = 825

/** Creates a key and a self-signed certificate for the given names, as PEM. */
export async function createSelfSigned(
  commonName: string,
  names: readonly AlternativeName[],
  now: Date,
): Promise<{ readonly cert: string; readonly key: string }> {
  await import('reflect-metadata') // required by @peculiar/x509, and must be imported first
  const x509 = await import('@peculiar/x509') // on first use: most starts create no certificate
  x509.cryptoProvider.set(webcrypto as never)
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${commonName}`,
    notBefore: new Date(now.getTime() - 3_600_000),
    notAfter: new Date(now.getTime() + validDays * 86_400_000),
    signingAlgorithm: algorithm,
    keys: keys as never,
    extensions: [
      new x509.SubjectAlternativeNameExtension([...names]),
      new x509.BasicConstraintsExtension(false),
    ],
  })
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return {
    cert: `${certificate.toString('pem')}\n`,
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8.match(/.{1,64}/g)!.join('\n')}\n-----END PRIVATE KEY-----\n`,
  }
}
