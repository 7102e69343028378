import { webcrypto } from 'node:crypto'

/** A certificate with its key, as PEM. */
export interface MadeCertificate {
  readonly cert: string
  readonly key: string
}

interface Issuer extends MadeCertificate {
  readonly name: string
  readonly keys: webcrypto.CryptoKeyPair
}

interface Draft {
  readonly name: string
  readonly now: Date
  readonly isAuthority?: boolean
  readonly days?: number
  /** Default: a key on P-256. */
  readonly rsaBits?: number
  /** The object identifiers of what it may be used for. Default: for anything. */
  readonly usages?: readonly string[]
}

/** Makes a certificate that another one issued; undefined for one that issued itself. */
export async function madeBy(issuer: Issuer | undefined, draft: Draft): Promise<Issuer> {
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  x509.cryptoProvider.set(webcrypto as never)
  const { name, now, isAuthority = false, days = 90, rsaBits, usages } = draft
  const hash = 'SHA-256'
  const ec = { name: 'ECDSA', namedCurve: 'P-256', hash }
  const rsa = {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: rsaBits ?? 0,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash,
  }
  const keys = await webcrypto.subtle.generateKey(rsaBits === undefined ? ec : rsa, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: `CN=${issuer?.name ?? name}`,
    notBefore: new Date(now.getTime() - 3_600_000),
    notAfter: new Date(now.getTime() + days * 86_400_000),
    signingAlgorithm: issuer === undefined && rsaBits !== undefined ? rsa : ec,
    publicKey: keys.publicKey as never,
    signingKey: (issuer?.keys ?? keys).privateKey as never,
    extensions: [
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
      new x509.BasicConstraintsExtension(isAuthority),
      ...(usages === undefined ? [] : [new x509.ExtendedKeyUsageExtension([...usages])]),
    ],
  })
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8.match(/.{1,64}/g)!.join('\n')}\n-----END PRIVATE KEY-----\n`
  return { name, keys, cert: `${certificate.toString('pem')}\n`, key }
}
