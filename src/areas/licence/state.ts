import type { LicenceDocument } from './document.ts'
import type { LicenceSummary } from './model.ts'

const isExpired = ({ expires_at: end }: LicenceDocument, now: Date): boolean =>
  end !== null && Date.parse(end) <= now.getTime()

/** True if a licence grants what it names: active, not blocked, not expired. */
export const isInForce = (document: LicenceDocument | undefined, now: Date): document is LicenceDocument =>
  document !== undefined && document.status === 'active' && !document.blocked && !isExpired(document, now)

/** The licence as it is shown; `expired` is known here, whatever the server wrote when it signed. */
export function summaryOf(document: LicenceDocument, now: Date): LicenceSummary {
  const { key, tier, expires_at, max_websites, blocked } = document
  const status = isExpired(document, now) ? 'expired' : document.status
  return { key, tier, status, expires_at, max_websites, blocked }
}
