import { createPrivateKey, createPublicKey, type KeyObject, webcrypto } from 'node:crypto'
import os from 'node:os'

/** A name or address for which a certificate is valid. */
export interface AlternativeName {
  readonly type: 'dns' | 'ip'
  readonly value: string
}

/** Kinds of keys without a curve do not read it. */
interface Algorithm {
  readonly name: string
  readonly namedCurve: string
  readonly hash: string
}

const newKeys: Algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const validDays = 825

/** The names of this host and its addresses, for the panel's own certificate. */
export function ownNames(): { readonly commonName: string; readonly names: readonly AlternativeName[] } {
  const commonName = os.hostname().replaceAll(/[^a-zA-Z0-9.-]/g, '') || 'localhost'
  const addresses = Object.values(os.networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ scopeid }) => !scopeid)
    .map(({ address }) => address)
  const names = [
    ...[...new Set([commonName, 'localhost'])].map((value) => ({ type: 'dns' as const, value })),
    ...[...new Set(addresses)].map((value) => ({ type: 'ip' as const, value })),
  ]
  return { commonName, names }
}

/**
 * Creates a self-signed certificate for the given names, as PEM with its private key: a new one, or `key`.
 * Rejects if a certificate cannot be signed with that key.
 */
export async function createSelfSigned(
  commonName: string,
  names: readonly AlternativeName[],
  now: Date,
  key?: string,
): Promise<{ readonly cert: string; readonly key: string }> {
  await import('reflect-metadata') // required by @peculiar/x509, and must be imported first
  const x509 = await import('@peculiar/x509') // on first use: most starts create no certificate
  x509.cryptoProvider.set(webcrypto as never)
  const signingAlgorithm = key === undefined ? newKeys : algorithmOf(createPrivateKey(key))
  const keys =
    key === undefined
      ? await webcrypto.subtle.generateKey(newKeys, true, ['sign', 'verify'])
      : await importKeys(createPrivateKey(key), signingAlgorithm)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${commonName}`,
    notBefore: new Date(now.getTime() - 3_600_000),
    notAfter: new Date(now.getTime() + validDays * 86_400_000),
    signingAlgorithm,
    keys: keys as never,
    extensions: [
      new x509.SubjectAlternativeNameExtension([...names]),
      new x509.BasicConstraintsExtension(false),
    ],
  })
  return { cert: `${certificate.toString('pem')}\n`, key: key ?? (await pemOf(keys)) }
}

const curves: Readonly<Record<string, string>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
  secp521r1: 'P-521',
}

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): Algorithm {
  if (type === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', namedCurve: '', hash: 'SHA-256' }
  if (type === 'ed25519') return { name: 'Ed25519', namedCurve: '', hash: '' }
  const namedCurve = curves[details?.namedCurve ?? '']
  if (type === 'ec' && namedCurve !== undefined) return { name: 'ECDSA', namedCurve, hash: 'SHA-256' }
  throw new TypeError(`keys of the type ${type} are not supported`)
}

async function importKeys(key: KeyObject, algorithm: Algorithm) {
  const { subtle } = webcrypto
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const pkcs8 = key.export({ type: 'pkcs8', format: 'der' })
  return {
    publicKey: await subtle.importKey('spki', spki, algorithm, true, ['verify']),
    privateKey: await subtle.importKey('pkcs8', pkcs8, algorithm, true, ['sign']),
  }
}

async function pemOf({ privateKey }: Pick<webcrypto.CryptoKeyPair, 'privateKey'>): Promise<string> {
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey)).toString('base64')
  return `-----BEGIN PRIVATE KEY-----\n${pkcs8.match(/.{1,64}/g)!.join('\n')}\n-----END PRIVATE KEY-----\n`
}
