import { change } from '../../../core/change.ts'
import { askRenewalInfo } from '../acme/renewal-info.ts'
import type { Certificates } from '../context.ts'
import { renewalOf } from '../renewal.ts'
import { orderingPanel } from './ordering.ts'
import { isServed } from './panel-certificate.ts'

/** A renewal that was queued has ended by then, one way or the other. */
const queuedMs = 15 * 60_000
const askingMs = 20_000
const hourMs = 3_600_000

type OfPanel = Pick<Certificates, 'panel' | 'execute' | 'ask'>

/** Queues the renewal of the panel's certificate if it is due; returns whether it did. */
export async function queuePanelRenewal(
  { panel, execute }: OfPanel,
  now: Date,
  signal: AbortSignal,
): Promise<boolean> {
  const [row, failure] = [await panel.queries.certificate(), await panel.queries.failure()]
  const at = now.toISOString()
  if (row === undefined || row.renew_at > at || (row.renewing_until ?? '') > at) return false
  const mustWait = failure?.name === row.name && failure.retry_at > at
  if (mustWait || !(await isServed(panel, row.fingerprint))) return false
  await panel.queries.mark(row, { renewing_until: new Date(now.getTime() + queuedMs).toISOString() })
  const title = `Renew the certificate of the panel for ${row.name}`
  const job = { kind: orderingPanel.kind, input: { name: row.name }, ownerId: null, title }
  const entry = {
    action: 'certificates_renew',
    user_id: null,
    key_id: null,
    ip: 'local',
    method: 'POST',
    path: '/api/settings/panel-certificate',
    request: '{}',
    request_id: 'certificates_renew',
  }
  const decide = async () => change({ summary: title, jobs: [job], reply: null })
  await execute({ decide, actor: { entry }, keepsReply: false, signal, actSignal: signal })
  return true
}

/** Asks for the renewal information of the panel's certificate (RFC 9773); an authority that does not answer is asked again in an hour. */
export async function askForPanel({ panel, ask }: OfPanel, now: Date, signal: AbortSignal): Promise<void> {
  const row = await panel.queries.certificate()
  if (row === undefined || row.ari_at === null || row.ari_at > now.toISOString()) return
  if (row.ari_id === null) return panel.queries.mark(row, { ari_at: null })
  const limit = AbortSignal.any([signal, AbortSignal.timeout(askingMs)])
  const info = await askRenewalInfo(row.directory, row.ari_id, { ask, signal: limit, now }).catch(
    () => undefined,
  )
  signal.throwIfAborted()
  const lifetime = { notBefore: new Date(row.not_before), notAfter: new Date(row.not_after) }
  const renewal = info?.window && renewalOf(lifetime, info.window, 'panel')
  const ari_at = new Date(now.getTime() + (info?.askAgainMs ?? hourMs)).toISOString()
  await panel.queries.mark(row, { ari_at, ...(renewal && { renew_at: renewal.toISOString() }) })
}
