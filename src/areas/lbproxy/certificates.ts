import { type Change, change, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { type Certificate, type Haproxy, makeSelfSigned, parseConfig, readCertificate, usersOfFile } from '../../tools/haproxy/index.ts'
import type { LiveConfig } from './config.ts'
import type { CertificateDraft, StoredCertificate } from './model.ts'
import { CertificateRefused, CertificateUsed, NoSuchCertificate } from './problems.ts'

/** Reading, storing and removing the certificates that binds may name. */
export function certificateVerbs(haproxy: Haproxy) {
  const show = (domain: string, found: Certificate, text: string, now: Date): StoredCertificate => ({
    domain,
    names: found.names.slice(0, 1000),
    issuer: found.issuer,
    valid_from: found.validFrom.toISOString(),
    valid_to: found.validTo.toISOString(),
    self_signed: found.isSelfSigned,
    expired: found.validTo < now,
    used_by: [...usersOfFile(parseConfig(text), haproxy.certificates.pathOf(domain))],
  })
  return {
    listCertificates: async (now: Date): Promise<StoredCertificate[]> => {
      const text = await haproxy.readConfig()
      const domains = await haproxy.certificates.list()
      const stored = await Promise.all(domains.map(async (domain) => [domain, await haproxy.certificates.read(domain)] as const))
      return stored.flatMap(([domain, pem]) => (pem === undefined ? [] : [show(domain, readCertificate(pem), text, now)]))
    },
    storeCertificate: async (live: LiveConfig, draft: CertificateDraft, now: Date): Promise<Change<StoredCertificate>> => {
      const found = draft.self_signed ? await makeSelfSigned([draft.domain], now) : readCertificate(`${draft.certificate ?? ''}\n${draft.key ?? ''}`)
      if (found.validTo < now) throw CertificateRefused(`certificate: it expired on ${found.validTo.toISOString()}`)
      if (!found.names.some((name) => covers(name, draft.domain)))
        throw CertificateRefused(`domain: the certificate is for ${found.names.slice(0, 10).join(', ')}, not for ${draft.domain}`)
      const path = haproxy.certificates.pathOf(draft.domain)
      const isUsed = usersOfFile(parseConfig(live.text), path).length > 0
      const isServed = isUsed && (await haproxy.program.running()).length > 0
      const write = step(haproxy.steps.writeFile, { directory: 'certificates', name: `${draft.domain}.pem`, content: found.pem })
      const steps = isServed ? [write, step(haproxy.steps.switchProgram, { verb: 'reload', loads: path })] : [write]
      return change({
        summary: `Store the certificate of ${draft.domain}`,
        locks: ['lbproxy certificates'],
        steps,
        reply: show(draft.domain, found, live.text, now),
      })
    },
    removeCertificate: async (live: LiveConfig, domain: string): Promise<Change<{ success: true }>> => {
      if ((await haproxy.certificates.read(domain)) === undefined) throw NoSuchCertificate(`domain: there is no certificate ${domain}`)
      const users = usersOfFile(parseConfig(live.text), haproxy.certificates.pathOf(domain))
      if (users.length > 0) throw CertificateUsed(`domain: the certificate ${domain} is used by ${users.slice(0, 5).join(', ')}`)
      const steps = [step(haproxy.steps.writeFile, { directory: 'certificates', name: `${domain}.pem`, content: null })]
      return change({ summary: `Remove the certificate of ${domain}`, locks: ['lbproxy certificates'], steps, reply: success })
    },
  }
}

/** A wildcard stands for one label. */
function covers(name: string, domain: string): boolean {
  const lower = name.toLowerCase()
  return lower === domain || (lower.startsWith('*.') && lower.slice(2) === domain.slice(domain.indexOf('.') + 1))
}
