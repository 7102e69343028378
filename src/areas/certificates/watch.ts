import { change } from '../../core/change.ts'
import { repeat } from '../../core/repeat.ts'
import { askRenewalInfo } from './acme/renewal-info.ts'
import type { Certificates } from './context.ts'
import { issuing } from './issue.ts'
import { askForPanel, queuePanelRenewal } from './panel/watch.ts'
import { renewalOf } from './renewal.ts'
import { type CertificateRow, websiteCertificates } from './store.ts'

const everyMs = 15_000
const atOnce = 20
/** A renewal that was queued has ended by then, one way or the other. */
const queuedMs = 15 * 60_000
const askingMs = 20_000
const hourMs = 3_600_000

/** Queues the renewals that are due, and asks the authorities when they suggest the next ones. */
export const watchRenewals = (on: Certificates): { stop(): Promise<void> } =>
  repeat({
    everyMs,
    isAtOnce: true,
    work: async (signal) => {
      await queueRenewals(on, new Date(), signal)
      await queuePanelRenewal(on, new Date(), signal)
      await askAuthorities(on, new Date(), signal)
      await askForPanel(on, new Date(), signal)
    },
    failed: (error) => on.log.error({ err: error }, 'certificates could not be checked for renewal'),
  })

/** Queues the renewals that are due as long work of the panel; returns their websites. */
export async function queueRenewals(
  on: Certificates,
  now: Date,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const due = await on.queries.due(now, atOnce)
  if (due.length === 0) return []
  const until = new Date(now.getTime() + queuedMs).toISOString()
  for (const row of due) await on.queries.mark(row, { renewing_until: until })
  const domains = due.map(({ domain }) => domain).join(', ')
  const decide = async () =>
    change({ summary: `Renew the certificates of ${domains}`, jobs: due.map(renewalJob), reply: null })
  const entry = {
    action: 'certificates_renew',
    user_id: null,
    key_id: null,
    ip: 'local',
    method: 'POST',
    path: '/api/websites',
    request: '{}',
    request_id: 'certificates_renew',
  }
  await on.execute({ decide, actor: { entry }, keepsReply: false, signal, actSignal: signal })
  return due.map(({ website_id }) => website_id)
}

function renewalJob(row: CertificateRow & { readonly domain: string; readonly user_id: number }) {
  const { names } = websiteCertificates.show(row)
  const wildcards = names.filter((name) => name.startsWith('*.'))
  const input = {
    website_id: row.website_id,
    method: 'acme' as const,
    ...(wildcards.length > 0 && { names }),
  }
  return { kind: issuing.kind, input, ownerId: null, title: `Renew the certificate of ${row.domain}` }
}

/** Asks for the renewal information of certificates (RFC 9773); an authority that does not answer is asked again in an hour. */
export async function askAuthorities(on: Certificates, now: Date, signal: AbortSignal): Promise<void> {
  for (const row of await on.queries.toAsk(now, atOnce)) {
    const { directory, ari_id: ariId } = row
    if (directory === null || ariId === null) {
      await on.queries.mark(row, { ari_at: null })
      continue
    }
    const limit = AbortSignal.any([signal, AbortSignal.timeout(askingMs)])
    const asking = { ask: on.ask, signal: limit, now }
    const info = await askRenewalInfo(directory, ariId, asking).catch(() => undefined)
    signal.throwIfAborted()
    const ari_at = new Date(now.getTime() + (info?.askAgainMs ?? hourMs)).toISOString()
    const renewal = info?.window && renewalOf(lifetimeOf(row), info.window, String(row.website_id))
    await on.queries.mark(row, { ari_at, ...(renewal && { renew_at: renewal.toISOString() }) })
  }
}

const lifetimeOf = ({ not_before, not_after }: CertificateRow) => ({
  notBefore: new Date(not_before),
  notAfter: new Date(not_after),
})
