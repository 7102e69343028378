import { type Change, change, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { type LoadedWebsite, withCertificate } from '../websites/index.ts'
import { missingInChain } from './chain.ts'
import type { Certificates } from './context.ts'
import type { CertificateStatus } from './model.ts'
import { covers } from './pem.ts'
import { NoCertificate } from './problems.ts'
import { certificateFailures, type CertificateRow, websiteCertificates } from './store.ts'

const dayMs = 24 * 3_600_000

/** Returns the certificate of a website, its next renewal and the last failure. */
export async function statusOf(on: Certificates, site: LoadedWebsite, now: Date): Promise<CertificateStatus> {
  const { queries } = on
  const [found, failure] = [await queries.certificate(site.id), await queries.failure(site.id)]
  const row = found === undefined ? undefined : websiteCertificates.show(found)
  const { names = [] } = row ?? {}
  return {
    state: found === undefined ? 'none' : stateOf(found, now),
    method: row?.method ?? null,
    names,
    uncovered: [site.domain, ...site.aliases].filter((name) => row !== undefined && !covers(names, name)),
    issuer: row?.issuer ?? null,
    not_before: row?.not_before ?? null,
    not_after: row?.not_after ?? null,
    renew_at: row?.renew_at ?? null,
    warning: row?.method === 'upload' ? await readWarning(on, site) : null,
    https_redirect: site.https_redirect === 1,
    hsts: site.hsts === 1,
    last_error: failure?.error ?? null,
    failed_at: failure?.failed_at ?? null,
    retry_at: failure?.retry_at ?? null,
  }
}

/** Returns what the chain of the certificate that a website is served with lacks; null if nothing. */
export async function readWarning(
  { host: { files }, nginx }: Pick<Certificates, 'host' | 'nginx'>,
  { certificate }: LoadedWebsite,
): Promise<string | null> {
  const pem = certificate === null ? undefined : await files.read(nginx.certificatePath(certificate))
  return pem === undefined ? null : missingInChain(pem)
}

/** Serves a website over http alone, and removes its certificate. */
export async function deleteCertificate(
  { queries, websites, nginx }: Certificates,
  site: LoadedWebsite,
  now: Date,
): Promise<Change<{ success: true }>> {
  if (site.certificate === null) throw NoCertificate(`id: ${site.domain} has no certificate`)
  const request = { now, query: { overwrite: false } }
  const { row, steps, locks } = await withCertificate(websites, site, null, request)
  const failure = await queries.failure(site.id)
  return change({
    summary: `Remove the certificate of ${site.domain}`,
    locks,
    steps: [...steps, step(nginx.steps.writeCertificate, { file: site.certificate, content: null })],
    rows: [
      row,
      websiteCertificates.delete({ website_id: site.id }),
      ...(failure === undefined ? [] : [certificateFailures.delete({ website_id: site.id })]),
    ],
    reply: success,
  })
}

/** The state of a certificate: one that is renewed by the panel expires soon once a tenth of its lifetime is left. */
export function stateOf(row: CertificateRow, now: Date): 'valid' | 'expiring' | 'expired' {
  const leftMs = Date.parse(row.not_after) - now.getTime()
  if (leftMs <= 0) return 'expired'
  return leftMs < expiresSoonMs(row) ? 'expiring' : 'valid'
}

/** The rest of a certificate's lifetime in which its users are told. */
export const longestSoonMs = 14 * dayMs
const expiresSoonMs = ({ method, not_before, not_after }: CertificateRow): number => {
  const lifetimeMs = Date.parse(not_after) - Date.parse(not_before)
  return method === 'acme' ? Math.min(longestSoonMs, lifetimeMs / 10) : longestSoonMs
}
