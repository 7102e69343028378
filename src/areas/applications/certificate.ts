import type { Change } from '../../core/change.ts'
import { certifiedSite } from '../certificates/index.ts'
import { inputRules } from '../firewall/index.ts'
import { dnsOf, type LoadedWebsite } from '../websites/index.ts'
import type { Applications } from './context.ts'

interface Certified extends Required<Pick<Change<unknown>, 'locks' | 'steps' | 'rows' | 'details'>> {
  readonly isCertified: boolean
}

/** Returns what gives a new website a certificate, or the reason why it gets none. */
export async function certificateFor(
  on: Applications,
  site: LoadedWebsite,
  { wanted, now }: { readonly wanted: 'auto' | 'none'; readonly now: Date },
): Promise<Certified> {
  const why = wanted === 'none' ? undefined : await whyNone(on, site)
  if (wanted === 'none' || why !== undefined)
    return { locks: [], steps: [], rows: [], details: why === undefined ? [] : [why], isCertified: false }
  const { last, locks, rows } = await certifiedSite(on.certificates, site, 'acme', now)
  return { locks, steps: last, rows, details: [], isCertified: true }
}

/** The firewall opens the web ports for websites that are stored, and an authority comes before this one is. */
async function whyNone(on: Applications, { domain }: LoadedWebsite): Promise<string | undefined> {
  const { state } = await dnsOf(on.websites.addresses, domain)
  if (state !== 'here')
    return `There is no certificate yet: ${domain} does not lead to this host${state === 'partly_here' ? ' alone' : ''}`
  const isOpen = (await inputRules(on.firewall)) === undefined || (await on.websites.queries.count()) > 0
  if (isOpen) return undefined
  return 'There is no certificate yet: the firewall lets visitors in once there is a website'
}
