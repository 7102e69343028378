import { type Change, change, step } from '../../../core/change.ts'
import { singleLock } from '../../../core/lock.ts'
import { success } from '../../../core/reply.ts'
import { createSelfSigned, ownNames } from '../../../host/self-signed.ts'
import type { AreaPort } from '../../firewall/index.ts'
import type { Certificates } from '../context.ts'
import type { PanelCertificateStatus } from '../model.ts'
import { factsOf } from '../pem.ts'
import { NoPanelCertificate } from '../problems.ts'
import { digestOf } from './own-pair.ts'
import type { PanelTls } from './context.ts'
import { onlyRow, panelCertificateFailures, panelCertificates } from './store.ts'

/** Held by every change of the panel's certificate. */
export const panelCertificateLock = singleLock('panel-certificate')

type OfPanel = Pick<Certificates, 'panel'>

/** Returns the certificate that the panel serves, and whether it is renewed. */
export async function panelCertificateStatus({ panel }: OfPanel): Promise<PanelCertificateStatus> {
  const [row, failure] = [await panel.queries.certificate(), await panel.queries.failure()]
  const isRenewed = row !== undefined && (await isServed(panel, row.fingerprint))
  return {
    name: row?.name ?? null,
    suggested_name: suggestedName(panel),
    serves_https: panel.servesHttps,
    ...(await servedFacts(panel)),
    is_renewed: isRenewed,
    renew_at: isRenewed ? row.renew_at : null,
    last_error: failure?.error ?? null,
    failed_at: failure?.failed_at ?? null,
    retry_at: failure?.retry_at ?? null,
  }
}

/** True if the panel serves the certificate that has this digest: a person may have replaced it. */
export async function isServed({ own }: Pick<PanelTls, 'own'>, fingerprint: string): Promise<boolean> {
  const cert = await own.readCertificate()
  return cert !== undefined && digestOf(cert) === fingerprint
}

async function servedFacts({ own }: PanelTls) {
  const cert = await own.readCertificate()
  const facts = cert === undefined ? undefined : readable(cert)
  return {
    names: facts?.names.slice(0, 100) ?? [],
    issuer: facts?.issuer ?? null,
    not_before: facts?.notBefore.toISOString() ?? null,
    not_after: facts?.notAfter.toISOString() ?? null,
  }
}

/** Undefined for a damaged file, which an order replaces. */
function readable(cert: string): ReturnType<typeof factsOf> | undefined {
  try {
    return factsOf(cert)
  } catch {
    return undefined
  }
}

/** The name of the host, if an authority could issue a certificate for it. */
function suggestedName({ kernel }: PanelTls): string | null {
  const name = kernel().hostname.toLowerCase()
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/.test(name) &&
    !/\.(?:local|localdomain|internal)$/.test(name)
    ? name
    : null
}

/** Stops the renewals, and forgets an order that failed; a self-signed certificate of the same key replaces the one of the authority, if that is served. */
export async function deletePanelCertificate(
  { panel }: OfPanel,
  now: Date,
): Promise<Change<{ success: true }>> {
  const [row, failure] = [await panel.queries.certificate(), await panel.queries.failure()]
  const ordered = row ?? failure
  if (ordered === undefined) throw NoPanelCertificate()
  const { key } = await panel.own.read()
  const { commonName, names } = ownNames()
  const { cert } = await createSelfSigned(commonName, names, now, key)
  const isOurs = row !== undefined && (await isServed(panel, row.fingerprint))
  return change({
    summary: `Remove the certificate of the panel for ${ordered.name}`,
    locks: [panelCertificateLock],
    steps: isOurs ? [step(panel.serve, { cert })] : [],
    rows: [
      ...(row === undefined ? [] : [panelCertificates.delete(onlyRow)]),
      ...(failure === undefined ? [] : [panelCertificateFailures.delete(onlyRow)]),
    ],
    reply: success,
  })
}

/** The port that the firewall keeps open: an authority comes to it for each renewal, and again after a failed order. */
export async function portsOfPanel({ panel }: OfPanel): Promise<readonly AreaPort[]> {
  const found = (await panel.queries.certificate()) ?? (await panel.queries.failure())
  if (found === undefined) return []
  return [
    { port: 80, protocol: 'tcp', name: 'Certificates', reason: `the panel's certificate for ${found.name}` },
  ]
}
