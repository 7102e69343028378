import { area } from '../../core/area.ts'
import type { Log } from '../../core/endpoint.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'
import { type FirewallQueries, firewallQueries } from './store.ts'

/** The firewall of this host, as the verbs of the area reach it. */
export interface Firewall {
  readonly nftables: Tools['nftables']
  readonly openssh: Tools['openssh']
  readonly ufw: Tools['ufw']
  readonly firewalld: Tools['firewalld']
  readonly run: Deps['host']['run']
  readonly queries: FirewallQueries
  readonly provisional: Deps['executor']['provisional']
  readonly execute: Deps['executor']['execute']
  readonly partsOf: Deps['partsOf']
  /** The networks of the reverse proxies before the panel, through which many visitors come. */
  readonly proxies: readonly string[]
  /** The port that the panel listens on. */
  readonly panelPort: number
  /** The time within which a change that may lock out has to be confirmed. */
  readonly confirmSeconds: number
  readonly log: Log
}

/** The names that the setting of the proxies may have for networks, besides addresses and networks themselves. */
const namedNetworks: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

const networksOf = (setting: string): readonly string[] =>
  setting
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
    .flatMap((each) => namedNetworks[each] ?? [each])

/** Binds the area to nftables, and to what filters or is signed in to beside it. */
export function openFirewall({ store, host, tools, executor, partsOf, settings, log }: Deps): Firewall {
  const {
    port,
    trusted_proxies: proxies = '',
    firewall_confirm_seconds: seconds,
  } = settings.configuration.running
  return {
    nftables: tools.nftables,
    openssh: tools.openssh,
    ufw: tools.ufw,
    firewalld: tools.firewalld,
    run: host.run,
    queries: firewallQueries(store),
    provisional: executor.provisional,
    execute: executor.execute,
    partsOf,
    panelPort: Number(port),
    proxies: networksOf(proxies),
    confirmSeconds: Number(seconds),
    log,
  }
}

/** Where a sign-in failed. */
export type SignInPlace = 'panel' | 'ssh'

/** Counts failed sign-ins, and bans the address that has had too many. */
export interface Banning {
  /** Counts one; never fails. */
  count(ip: string, place: SignInPlace): Promise<void>
}

export interface Context {
  readonly firewall: Firewall
  readonly banning: Banning
}

export const { endpoint, work, confirmation } = area.of<Context>()
