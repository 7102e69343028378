import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSelfSigned } from '../../host/self-signed.ts'
import { CertificateInvalid } from './problems.ts'

/** The contents of a certificate, without its key. */
export interface Certificate {
  readonly names: readonly string[]
  readonly issuer: string
  readonly validFrom: Date
  readonly validTo: Date
  readonly isSelfSigned: boolean
  /** The intermediate certificates in the order in which they are sent. */
  readonly chain: readonly ChainLink[]
  /** Certificate, chain and key in one PEM text, as HAProxy reads them. */
  readonly pem: string
}

/** One certificate of a chain. */
export interface ChainLink {
  readonly name: string
  readonly validTo: Date
}

const block = /-----BEGIN ([A-Z0-9 ]+)-----[A-Za-z0-9+/=\s]+-----END \1-----/g

/**
 * Reads a certificate with its chain and its single key; refuses a key that does not match the certificate.
 */
export function readCertificate(text: string): Certificate {
  const blocks = [...text.matchAll(block)].map(([pem, kind]) => ({ pem, kind: kind! }))
  const certificates = blocks
    .filter(({ kind }) => kind === 'CERTIFICATE')
    .map(({ pem }) => parsed(() => new X509Certificate(pem), 'certificate: cannot be parsed'))
  const keys = blocks.filter(({ kind }) => kind.endsWith('PRIVATE KEY'))
  if (certificates.length === 0) throw CertificateInvalid('certificate: the PEM contains no certificate')
  if (keys.length !== 1)
    throw CertificateInvalid(`key: the PEM must contain one private key, not ${keys.length}`)
  if (keys[0]!.kind === 'ENCRYPTED PRIVATE KEY' || keys[0]!.pem.includes('ENCRYPTED'))
    throw CertificateInvalid('key: is encrypted with a passphrase, which HAProxy cannot ask for')
  const key = parsed(() => createPrivateKey(keys[0]!.pem), 'key: cannot be parsed')
  const own = certificates.findIndex((each) => each.checkPrivateKey(key))
  if (own === -1) throw CertificateInvalid('key: does not match the certificate')
  const ordered = [certificates[own]!, ...certificates.filter((_each, index) => index !== own)]
  const chain = ordered
    .slice(1)
    .map((each) => ({ name: commonName(each.subject), validTo: new Date(each.validTo) }))
  return {
    ...describe(ordered[0]!),
    chain,
    pem: [...ordered.map((each) => each.toString().trim()), keys[0]!.pem.trim(), ''].join('\n'),
  }
}

/** Creates a self-signed certificate for the given names. */
export async function makeSelfSigned(names: readonly string[], now: Date): Promise<Certificate> {
  const alternative = names.map((value) => ({ type: 'dns' as const, value }))
  const { cert, key } = await createSelfSigned(names[0]!, alternative, now)
  return readCertificate(cert + key)
}

function describe(certificate: X509Certificate): Omit<Certificate, 'pem' | 'chain'> {
  const alternative = [...(certificate.subjectAltName ?? '').matchAll(/(?:DNS|IP Address):([^,]+)/g)].map(
    ([, name]) => name!.trim(),
  )
  const common = /^CN=(.+)$/m.exec(certificate.subject)?.[1]
  return {
    names: alternative.length > 0 ? alternative : common === undefined ? [] : [common],
    issuer: commonName(certificate.issuer),
    validFrom: new Date(certificate.validFrom),
    validTo: new Date(certificate.validTo),
    isSelfSigned: certificate.issuer === certificate.subject,
  }
}

const commonName = (subject: string) =>
  (/^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')).slice(0, 500)

function parsed<Value>(parse: () => Value, message: string): Value {
  try {
    return parse()
  } catch (error) {
    throw CertificateInvalid(message, { cause: error })
  }
}
