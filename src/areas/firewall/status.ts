import { storedLocks } from '../../core/lock.ts'
import type { ForeignChain } from '../../tools/nftables/index.ts'
import type { Firewall } from './context.ts'
import type { FirewallStatus } from './model.ts'
import { firewallLock, listOpened } from './table.ts'

const most = { chains: 500, rules: 500, characters: 1000 }

/** Reads the state of the firewall, what waits for a confirmation, and the rules of others. */
export async function readStatus(on: Firewall): Promise<FirewallStatus> {
  const [settings, { foreign, counters }, pending] = await Promise.all([
    on.queries.settings(),
    on.nftables.list(),
    findPending(on),
  ])
  const isEnabled = settings.is_enabled === 1
  const other = otherFirewall(foreign)
  const driver = isEnabled ? settings.driver : (other ?? 'nftables')
  const opened = await listOpened(on, driver)
  return {
    driver,
    enabled: isEnabled,
    is_live: counters.has('denied') || counters.has('passed on'),
    other,
    pending: pending ?? null,
    opened: opened.slice(0, 1000).map(({ sources: _sources, ...each }) => each),
    denied_packets: counters.get('denied')?.packets ?? null,
    foreign: foreign.slice(0, most.chains).map((chain) => ({
      ...chain,
      rules: chain.rules.slice(0, most.rules).map((rule) => rule.slice(0, most.characters)),
    })),
  }
}

/** Returns the firewall of another program that is active. */
export function otherFirewall(foreign: readonly ForeignChain[]): 'ufw' | 'firewalld' | null {
  const owners = new Set(foreign.map(({ owner }) => owner))
  if (owners.has('ufw')) return 'ufw'
  return owners.has('firewalld') ? 'firewalld' : null
}

/** Returns the change that waits for its confirmation, if one does. */
export async function findPending({ queries }: Firewall): Promise<FirewallStatus['pending'] | undefined> {
  const rows = await queries.provisional()
  const found = rows.find(({ locks }) => storedLocks(locks).includes(firewallLock))
  if (!found?.confirm_until) return undefined
  return { change_id: found.id, confirm_before: found.confirm_until, summary: found.summary }
}
