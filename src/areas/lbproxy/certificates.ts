import { type Change, change, type Step, step } from '../../core/change.ts'
import { Problem } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { type Certificate, type Haproxy, makeSelfSigned, readCertificate } from '../../tools/haproxy/index.ts'
import type { LiveConfig } from './config.ts'
import type { Lbproxy } from './context.ts'
import type { CertificateDraft, StoredCertificate } from './model.ts'
import { CertificateRefused, CertificateUsed, NoSuchCertificate } from './problems.ts'
import { certificatesLock } from './locks.ts'

/** Lists the certificates that binds may name. */
export async function listCertificates({ haproxy }: Lbproxy, now: Date): Promise<StoredCertificate[]> {
  const { certificates } = haproxy
  const text = await haproxy.readConfig()
  const shown = (await certificates.list()).map(async (domain) => {
    const pem = await certificates.read(domain)
    return pem === undefined
      ? []
      : [showStored(domain, pem, { users: await certificates.usersOf(text, domain), now })]
  })
  return (await Promise.all(shown)).flat()
}

/** Stores a certificate, or makes a self-signed one; HAProxy is reloaded if it serves the certificate. */
export async function storeCertificate(
  { haproxy }: Lbproxy,
  live: LiveConfig,
  { draft, now }: { readonly draft: CertificateDraft; readonly now: Date },
): Promise<Change<StoredCertificate>> {
  const { certificates, steps } = haproxy
  const found = draft.self_signed
    ? await makeSelfSigned([draft.domain], now)
    : readCertificate(`${draft.certificate ?? ''}\n${draft.key ?? ''}`)
  refuseUseless(found, draft.domain, now)
  const users = await certificates.usersOf(live.text, draft.domain)
  const isServed = users.length > 0 && (await haproxy.program.running()).length > 0
  const loads = certificates.pathOf(draft.domain)
  const written = writing(haproxy, draft.domain, found.pem)
  return change({
    summary: `Store the certificate of ${draft.domain}`,
    locks: [certificatesLock],
    steps: isServed ? [written, step(steps.switchProgram, { verb: 'reload', loads })] : [written],
    reply: show(draft.domain, found, { users, now }),
  })
}

/** Removes a certificate that no bind names. */
export async function deleteCertificate(
  { haproxy }: Lbproxy,
  live: LiveConfig,
  domain: string,
): Promise<Change<{ success: true }>> {
  const { certificates } = haproxy
  if ((await certificates.read(domain)) === undefined)
    throw NoSuchCertificate(`domain: there is no certificate ${domain}`)
  const users = await certificates.usersOf(live.text, domain)
  if (users.length > 0)
    throw CertificateUsed(`domain: the certificate ${domain} is used by ${users.slice(0, 5).join(', ')}`)
  return change({
    summary: `Remove the certificate of ${domain}`,
    locks: [certificatesLock],
    steps: [writing(haproxy, domain, null)],
    reply: success,
  })
}

const writing = ({ steps }: Haproxy, domain: string, content: string | null): Step =>
  step(steps.writeFile, { directory: 'certificates', name: `${domain}.pem`, content })

/** Clients would reject an expired certificate, be it the certificate itself or one of its chain. */
function refuseUseless({ names, validTo, chain }: Certificate, domain: string, now: Date): void {
  if (validTo < now) throw CertificateRefused(`certificate: expired on ${validTo.toISOString()}`)
  const over = chain.find((each) => each.validTo < now)
  if (over !== undefined)
    throw CertificateRefused(
      `certificate: ${over.name} in its chain expired on ${over.validTo.toISOString()}: send the current chain`,
    )
  if (!names.some((name) => covers(name, domain)))
    throw CertificateRefused(
      `domain: the certificate is for ${names.slice(0, 10).join(', ')}, not for ${domain}`,
    )
}

/** A wildcard matches exactly one label. */
function covers(name: string, domain: string): boolean {
  const lower = name.toLowerCase()
  return (
    lower === domain || (lower.startsWith('*.') && lower.slice(2) === domain.slice(domain.indexOf('.') + 1))
  )
}

interface Circumstances {
  readonly users: readonly string[]
  readonly now: Date
}

function show(domain: string, found: Certificate, { users, now }: Circumstances): StoredCertificate {
  return {
    domain,
    names: found.names.slice(0, 1000),
    issuer: found.issuer,
    valid_from: found.validFrom.toISOString(),
    valid_to: found.validTo.toISOString(),
    self_signed: found.isSelfSigned,
    expired: found.validTo < now,
    chain: found.chain
      .slice(0, 100)
      .map(({ name, validTo }) => ({ name, valid_to: validTo.toISOString(), expired: validTo < now })),
    used_by: users.slice(0, 1000),
  }
}

/** A manually added file may not be a certificate: it is listed nonetheless, with the reason. */
function showStored(domain: string, pem: string, circumstances: Circumstances): StoredCertificate {
  try {
    return show(domain, readCertificate(pem), circumstances)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const never = new Date(0).toISOString()
    const nothing = {
      names: [],
      issuer: '',
      valid_from: never,
      valid_to: never,
      self_signed: false,
      expired: true,
      chain: [],
    }
    return { domain, ...nothing, used_by: circumstances.users.slice(0, 1000), problem: error.message }
  }
}
