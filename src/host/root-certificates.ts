import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'

let bySubject: ReadonlyMap<string, readonly X509Certificate[]> | undefined

/** True if a root that browsers know has issued the certificate: those of Mozilla, which Node has. */
export function isIssuedByKnownRoot(certificate: X509Certificate): boolean {
  bySubject ??= Map.groupBy(
    rootCertificates.map((pem) => new X509Certificate(pem)),
    ({ subject }) => subject,
  )
  const roots = bySubject.get(certificate.issuer) ?? []
  return roots.some((root) => certificate.checkIssued(root) && certificate.verify(root.publicKey))
}
