import { networkOf } from '../../core/attempt-counts.ts'
import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import { listTable, loadText } from './nft.ts'
import { banTable } from './rule.ts'

/** An address whose packets are dropped. */
export interface Ban {
  /** As `banKey` returns it. */
  readonly address: string
  /** Null until it is released. */
  readonly seconds: number | null
}

export interface SetBanArgs extends Ban {
  readonly isBanned: boolean
}

interface BanState {
  /** 0 without an end. */
  readonly seconds: number
}

/** Returns what a ban of an address covers: the address, or the /64 of an IPv6 address. */
export const banKey = (address: string): string => networkOf(address.split('/')[0] ?? address)

/**
 * The table is hooked in before the others, so that a banned address is dropped whatever the rules say. A ban of an
 * address of this host itself does not cut its programs off from each other.
 */
const definition = `table inet ${banTable} {
\tset ipv4 { type ipv4_addr; flags timeout; }
\tset ipv6 { type ipv6_addr; flags timeout; }
\tchain input {
\t\ttype filter hook input priority filter - 10; policy accept;
\t\tiifname "lo" accept
\t\tip saddr @ipv4 counter drop comment "banned ipv4"
\t\tip6 saddr & ffff:ffff:ffff:ffff:: @ipv6 counter drop comment "banned ipv6"
\t}
}
`

/** The step that bans an address for a time, or releases it. */
export function setBan(host: Pick<Host, 'run'>): StepKind<SetBanArgs, Was<BanState>, null> {
  return stateStep<SetBanArgs, BanState>({
    name: 'nftables.set-ban',
    plan: ({ address, isBanned, seconds }) => ({
      title: isBanned ? `Ban ${address}${lengthOf(seconds)}` : `Release ${address}`,
      objects: [{ name: address, before: isBanned ? null : 'banned', after: isBanned ? 'banned' : null }],
    }),
    read: async ({ address }) => {
      const seconds = elementsIn((await listTable(host, banTable)) ?? '').get(elementOf(address))
      return seconds === undefined ? undefined : { seconds }
    },
    wanted: ({ isBanned, seconds }) => (isBanned ? { seconds: seconds ?? 0 } : undefined),
    startsFrom: 'observed',
    notUndone: 'an address is banned and released by hand: do it under Firewall',
    write: async ({ address }, state) =>
      loadBans(host, [{ address, seconds: state === undefined ? 'none' : state.seconds }]),
  })
}

/** Bans addresses again where the kernel has lost them: by a restart of the host, or as another program flushed them. */
export async function restoreBans(host: Pick<Host, 'run'>, bans: readonly Ban[]): Promise<void> {
  if (bans.length === 0 || (await listTable(host, banTable)) !== undefined) return
  const wanted = bans.map(({ address, seconds }) => ({ address, seconds: seconds ?? 0 }))
  await loadBans(host, wanted)
}

interface Wanted {
  readonly address: string
  readonly seconds: number | 'none'
}

async function loadBans(host: Pick<Host, 'run'>, bans: readonly Wanted[]): Promise<void> {
  const isThere = (await listTable(host, banTable)) !== undefined
  const lines = bans.flatMap(({ address, seconds }) => {
    const at = `element inet ${banTable} ${address.includes(':') ? 'ipv6' : 'ipv4'}`
    const element = elementOf(address)
    const timeout = seconds === 0 || seconds === 'none' ? '' : ` timeout ${seconds}s`
    return [
      `add ${at} { ${element} }`, // so that it can be deleted: another timeout would be ignored
      `delete ${at} { ${element} }`,
      ...(seconds === 'none' ? [] : [`add ${at} { ${element}${timeout} }`]),
    ]
  })
  await loadText(host, `${isThere ? '' : definition}${lines.join('\n')}\n`)
}

/** The element of a ban: the /64 of an IPv6 address is its first address, as nft prints it. */
function elementOf(address: string): string {
  const [network = address] = address.split('/')
  return network.includes(':') ? new URL(`http://[${network}]`).hostname.slice(1, -1) : network
}

/** The banned addresses, with the seconds of their timeout as nft prints it: `1h30m`. */
function elementsIn(text: string): ReadonlyMap<string, number> {
  const sets = [...text.matchAll(/elements = \{([^}]*)\}/g)].map(([, elements = '']) => elements)
  return new Map(
    sets
      .flatMap((elements) => elements.split(','))
      .map((element) => {
        const [address = '', ...rest] = element.trim().split(/\s+/)
        return [address, rest[0] === 'timeout' ? secondsOf(rest[1] ?? '') : 0] as const
      }),
  )
}

const unitSeconds: Readonly<Record<string, number>> = { d: 86_400, h: 3600, m: 60, s: 1, ms: 0 }

function secondsOf(text: string): number {
  const parts = [...text.matchAll(/(\d+)(ms|[dhms])/g)]
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (unitSeconds[unit] ?? 0), 0)
}

function lengthOf(seconds: number | null): string {
  if (seconds === null) return ''
  return seconds % 60 === 0 ? ` for ${seconds / 60} minutes` : ` for ${seconds} seconds`
}
