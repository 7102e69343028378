import { type Change, change, type Step, step } from '../../../core/change.ts'
import { from } from '../../../core/returned.ts'
import { inputRules } from '../../firewall/index.ts'
import { dnsOf, websiteLocks } from '../../websites/index.ts'
import { webServerLock } from '../../webserver/index.ts'
import { type Certificates, work } from '../context.ts'
import { PanelCertificateIssued, PanelCertificateOrder } from '../model.ts'
import { PanelOrderingAlready } from '../problems.ts'
import { panelCertificateLock } from './panel-certificate.ts'
import { onlyRow, panelCertificateFailures, panelCertificates } from './store.ts'

const minuteMs = 60_000
/** The file that answers for the panel's name, among those of websites. */
const siteName = 'hostreeve-panel'

/** Orders a certificate for the panel and serves it; the former one is served until then. */
export const orderingPanel = work({
  kind: 'certificates.order-panel',
  lane: 'network',
  input: PanelCertificateOrder,
  reply: PanelCertificateIssued,
  timeoutMs: 10 * minuteMs,
  attempts: 1,
  resumes: true,
  single: PanelOrderingAlready,
  decide: ({ input, now, certificates }) => orderChange(certificates, input.name, now),
})

async function orderChange(
  on: Certificates,
  name: string,
  now: Date,
): Promise<Change<PanelCertificateIssued>> {
  const { panel, directory } = on
  await panel.own.read()
  const former = await panel.queries.certificate()
  const isSame = former?.directory === directory && former.name === name
  const order = step(panel.order, { name, directory, replaces: isSame ? former.ari_id : null })
  const issued = { name, issuer: from(order, 'issuer'), not_after: from(order, 'not_after') }
  const row = panelCertificates.row({
    ...onlyRow,
    ...issued,
    directory,
    fingerprint: from(order, 'fingerprint'),
    not_before: from(order, 'not_before'),
    ari_id: from(order, 'ari_id'),
    renew_at: from(order, 'renew_at'),
    ari_at: now.toISOString(),
  })
  return change({
    summary: `Order a certificate for the panel at ${name}`,
    locks: [panelCertificateLock, webServerLock(0), ...websiteLocks([name])],
    steps: await answered(on, name, order),
    details: await doubtsOf(on, name),
    rows: [
      panelCertificates.delete(onlyRow),
      panelCertificates.insert(row),
      panelCertificateFailures.delete(onlyRow),
    ],
    reply: issued,
  })
}

/** While the order runs, the web server answers for the name; a website that has it answers anyway. */
async function answered({ websites }: Certificates, name: string, order: Step): Promise<readonly Step[]> {
  if ((await websites.queries.taken([name])).length > 0) return [order]
  const server = await websites.serving()
  const write = (content: string | null) =>
    step(server.steps.writeSites, { sites: [{ domain: siteName, content }] })
  return [write(server.renderChallenges(name)), order, write(null)]
}

/** Why the authority may find nothing: told in the plan, since only the authority knows. */
async function doubtsOf({ host, firewall }: Certificates, name: string): Promise<readonly string[]> {
  const { state } = await dnsOf(host.addresses, name)
  const rules = await inputRules(firewall)
  const isOpen =
    rules === undefined ||
    rules.some(
      ({ admits, protocol, ports, sources }) =>
        admits && protocol !== 'udp' && protocol !== 'icmp' && sources.length === 0 && hasHttp(ports),
    )
  return [
    ...(state === 'here'
      ? []
      : [`${name} does not lead to this host alone: the authority may find another one`]),
    ...(isOpen ? [] : ['The firewall admits nobody to port 80, where the authority looks: allow it first']),
  ]
}

const hasHttp = (ports: readonly string[]): boolean =>
  ports.length === 0 ||
  ports.some((each) => {
    const [first = '', last = first] = each.split('-')
    return Number(first) <= 80 && Number(last) >= 80
  })
