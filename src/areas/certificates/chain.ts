import { X509Certificate } from 'node:crypto'
import { isIssuedByKnownRoot } from '../../host/root-certificates.ts'
import { commonName } from './common-name.ts'

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/**
 * Returns what is missing at the end of the chain of a certificate, as PEM in order; null if browsers can verify it. Some
 * browsers fetch or remember intermediate certificates, other programs do not.
 */
export function missingInChain(pem: string): string | null {
  const last = pem.match(block)?.at(-1)
  if (last === undefined) return null
  const certificate = new X509Certificate(last)
  const { subject, issuer } = certificate
  if (subject === issuer || isIssuedByKnownRoot(certificate)) return null
  return `The chain ends with ${commonName(subject)}, which was issued by ${commonName(issuer)}: its certificate is neither in the chain nor a root that browsers know. Upload it after the others, unless your visitors trust it`
}
