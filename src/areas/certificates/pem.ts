import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { commonName } from './common-name.ts'
import { CertificateRefused } from './problems.ts'

/** What a certificate says of itself. */
export interface CertificateFacts {
  readonly names: readonly string[]
  readonly issuer: string
  readonly notBefore: Date
  readonly notAfter: Date
}

/** A certificate that may be served: the certificate, its chain and its key in one PEM text. */
export interface Servable extends CertificateFacts {
  readonly pem: string
}

const block =
  /-----BEGIN ([A-Z0-9 ]+)-----(?:\s+Proc-Type: 4,ENCRYPTED\s+DEK-Info: [A-Z0-9,-]+)?[A-Za-z0-9+/=\s]+-----END \1-----/g
const mostCertificates = 10
const leastRsaBits = 2048
const curves: ReadonlySet<string | undefined> = new Set(['prime256v1', 'secp384r1', 'secp521r1'])

/** Reads the certificate that comes first in a PEM text. */
export function factsOf(pem: string): CertificateFacts {
  const certificate = new X509Certificate(pem)
  return {
    names: namesOf(certificate).slice(0, 1000),
    issuer: commonName(certificate.issuer),
    notBefore: new Date(certificate.validFrom),
    notAfter: new Date(certificate.validTo),
  }
}

interface Uploaded {
  readonly certificate: string | undefined
  readonly key: string | undefined
}

/** Checks an uploaded certificate, its chain and its key as a browser would; refuses what none would accept. */
export function readUploaded({ certificate = '', key = '' }: Uploaded, domain: string, now: Date): Servable {
  const blocks = [...`${certificate}\n${key}`.matchAll(block)].map(([pem, kind]) => ({ pem, kind: kind! }))
  const texts = blocks.filter(({ kind }) => kind === 'CERTIFICATE')
  if (texts.length === 0) refuse('certificate: the PEM contains no certificate')
  if (texts.length > mostCertificates)
    refuse(
      `certificate: has ${texts.length} certificates: send the certificate and its chain, ${mostCertificates} at most`,
    )
  const found = texts.map(({ pem }) =>
    parsed(() => new X509Certificate(pem), 'certificate: cannot be parsed'),
  )
  const own = keyIn(blocks)
  const leaf = found.find((each) => each.checkPrivateKey(own))
  if (leaf === undefined) refuse('key: does not match the certificate')
  assertStrong(own)
  const chain = chainOf(leaf, found)
  for (const each of chain)
    assertInTime(each, each === leaf ? 'the certificate' : commonName(each.subject), now)
  for (const each of chain) assertSignature(each)
  assertForServers(leaf)
  const names = namesOf(leaf)
  if (!covers(names, domain))
    refuse(`certificate: is for ${names.slice(0, 10).join(', ') || 'no name'}, not for ${domain}`)
  const parts = [...chain.map(String), own.export({ type: 'pkcs8', format: 'pem' }).toString()]
  return { ...factsOf(leaf.toString()), pem: `${parts.map((part) => part.trim()).join('\n')}\n` }
}

/** True if one of the names of a certificate is valid for a host name; a wildcard matches exactly one label. */
export const covers = (names: readonly string[], name: string): boolean =>
  names.some((each) => each === name || each === `*.${name.slice(name.indexOf('.') + 1)}`)

function keyIn(blocks: readonly { readonly pem: string; readonly kind: string }[]): KeyObject {
  const keys = blocks.filter(({ kind }) => kind.endsWith('PRIVATE KEY'))
  if (keys.length !== 1) refuse(`key: must be one private key in PEM, not ${keys.length}`)
  const { pem, kind } = keys[0]!
  if (kind === 'ENCRYPTED PRIVATE KEY' || pem.includes('ENCRYPTED'))
    refuse('key: is encrypted with a passphrase, which nginx cannot ask for: send it without')
  return parsed(() => createPrivateKey(pem), 'key: cannot be parsed')
}

function assertStrong({ asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject): void {
  if (type === 'rsa' && (details.modulusLength ?? 0) < leastRsaBits)
    refuse(`key: is weak: RSA with ${details.modulusLength} bits, at least ${leastRsaBits} are needed`)
  if (type === 'ec' && !curves.has(details.namedCurve))
    refuse(`key: uses the curve ${details.namedCurve}, which browsers do not accept: use P-256`)
  if (type !== 'rsa' && type !== 'ec') refuse(`key: is of the type ${type}: use RSA or ECDSA`)
}

/** Orders the chain from the certificate to the last issuer; a certificate that issued none of them is refused. */
function chainOf(leaf: X509Certificate, found: readonly X509Certificate[]): readonly X509Certificate[] {
  const rest = new Set(found.filter((each) => each !== leaf && each.fingerprint256 !== leaf.fingerprint256))
  const chain = [leaf]
  for (;;) {
    const last = chain.at(-1)!
    const issuer = [...rest].find((each) => last.checkIssued(each) && last.verify(each.publicKey))
    if (issuer === undefined) break
    rest.delete(issuer)
    chain.push(issuer)
  }
  const [stray] = rest
  if (stray !== undefined)
    refuse(
      `certificate: ${commonName(stray.subject)} is not part of its chain: send the certificates that issued it only`,
    )
  return chain
}

const serverAuth = '1.3.6.1.5.5.7.3.1'
const anyUsage = '2.5.29.37.0'

/** Browsers refuse a certificate whose extended key usages lack that of servers (RFC 5280, 4.2.1.12). */
function assertForServers({ keyUsage }: X509Certificate): void {
  const usages: readonly string[] | undefined = keyUsage
  if (usages !== undefined && !usages.includes(serverAuth) && !usages.includes(anyUsage))
    refuse(
      'certificate: is not for servers: its extended key usage lacks serverAuth, so every browser refuses it',
    )
}

function assertInTime({ validFrom, validTo }: X509Certificate, subject: string, now: Date): void {
  if (new Date(validTo) < now) refuse(`certificate: ${subject} expired on ${new Date(validTo).toISOString()}`)
  if (new Date(validFrom) > now)
    refuse(`certificate: ${subject} is not valid before ${new Date(validFrom).toISOString()}`)
}

function assertSignature(each: X509Certificate): void {
  if (each.issuer === each.subject) return // nobody relies on its signature
  if (/md5|sha1/i.test(each.signatureAlgorithm ?? ''))
    refuse(
      `certificate: ${commonName(each.subject)} is signed with ${each.signatureAlgorithm}, which browsers refuse`,
    )
}

function namesOf(certificate: X509Certificate): string[] {
  const alternative = (certificate.subjectAltName ?? '').matchAll(/DNS:([^,\s"]+)/g)
  return [...alternative].map(([, name]) => name!.toLowerCase())
}

function parsed<Value>(parse: () => Value, message: string): Value {
  try {
    return parse()
  } catch (cause) {
    throw CertificateRefused(message, { cause })
  }
}

function refuse(message: string): never {
  throw CertificateRefused(message)
}
