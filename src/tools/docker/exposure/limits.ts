import type { Run } from '../../../host/run.ts'
import { parseNetwork } from '../../../host/networks.ts'
import { EngineFailed } from '../problems.ts'
import { type FilterTable, parseTable } from './rules.ts'

/** Who may reach a port of the host that leads to a container. */
export interface PortLimit {
  readonly port: number
  readonly protocol: 'tcp' | 'udp'
  /** Addresses and networks; none for this host alone. */
  readonly sources: readonly string[]
}

/** The rules of the panel. */
export const ownChain = 'HOSTREEVE-PORTS'
/** The chain that the engine leaves to its users: packets pass it before its own rules. */
export const userChain = 'DOCKER-USER'

const families = ['ipv4', 'ipv6'] as const
export type Family = (typeof families)[number]

/** A host without IPv6 has no such table. */
export type LimitsByFamily = Readonly<Partial<Record<Family, readonly PortLimit[]>>>

const programs = { ipv4: 'iptables', ipv6: 'ip6tables' } as const
const bounds = { timeoutMs: 30_000, maxBytes: 8 * 1024 * 1024 }
const patience = ['-w', '10'] as const

/** Reads the filter table of a family; undefined where the host has no iptables, or not for this family. */
export async function readTable(run: Run, family: Family): Promise<FilterTable | undefined> {
  const { code, stdout, isCut } = await run([programs[family], ...patience, '-S'], bounds)
  return code === 0 && !isCut ? parseTable(stdout) : undefined
}

/** The filter tables of a host; undefined for a family that it does not filter. */
export type Tables = Readonly<Record<Family, FilterTable | undefined>>

/** Reads the filter tables of both families. */
export async function readTables(run: Run): Promise<Tables> {
  const [ipv4, ipv6] = await Promise.all([readTable(run, 'ipv4'), readTable(run, 'ipv6')])
  return { ipv4, ipv6 }
}

/** Reads the limits of a family, sorted. */
export function limitsIn(table: FilterTable): readonly PortLimit[] {
  const found = new Map<string, { port: number; protocol: 'tcp' | 'udp'; sources: Set<string> }>()
  for (const { protocol, hostPort: port, source } of table.chains.get(ownChain) ?? []) {
    if (port === undefined || (protocol !== 'tcp' && protocol !== 'udp')) continue
    const limit = found.get(`${port}/${protocol}`) ?? { port, protocol, sources: new Set() }
    if (source !== undefined) limit.sources.add(source)
    found.set(`${port}/${protocol}`, limit)
  }
  return sorted([...found.values()].map(({ sources, ...of }) => ({ ...of, sources: [...sources] })))
}

/** The limits as they are for the sources of a family, sorted. */
export const limitsOf = (family: Family, limits: readonly PortLimit[]): readonly PortLimit[] =>
  sorted(
    limits.map((limit) => ({
      ...limit,
      sources: limit.sources.filter((source) => parseNetwork(source)?.family === family),
    })),
  )

/** Limits in the order in which they are compared. */
export const sorted = (all: readonly PortLimit[]): readonly PortLimit[] =>
  all
    .map((limit) => ({ ...limit, sources: limit.sources.toSorted() }))
    .toSorted((one, other) => one.port - other.port || (one.protocol < other.protocol ? -1 : 1))

/** True if the chain of the panel is passed on the way to published ports, over IPv6 where the host has it. */
export const isInEffect = ({ ipv4, ipv6 }: Tables): boolean =>
  ipv4 !== undefined && isPassed(ipv4, userChain) && (ipv6 === undefined || isPassed(ipv6, 'INPUT'))

const isPassed = ({ chains }: FilterTable, chain: string): boolean =>
  chains.has(ownChain) && (chains.get(chain) ?? []).some(({ target }) => target === ownChain)

/** Replaces the rules of the panel in these families, each in one transaction. */
export async function writeLimits(run: Run, wanted: LimitsByFamily): Promise<void> {
  for (const family of families) {
    const limitsOfFamily = wanted[family]
    if (limitsOfFamily === undefined) continue
    const input = renderLimits(family, limitsOfFamily, await readTable(run, family))
    const argv = [`${programs[family]}-restore`, ...patience, '--noflush'] as const
    const { code, stderr } = await run(argv, { ...bounds, input })
    if (code === 127) throw EngineFailed('iptables is not installed, which Docker Engine needs')
    if (code !== 0) throw EngineFailed(`${argv[0]}: ${stderr.trim().slice(0, 2000)}`)
  }
}

/**
 * Renders the rules for iptables-restore. Packets to published ports are forwarded to containers and pass DOCKER-USER; over IPv6
 * a program of the engine takes them on this host, unless it is told to forward them too.
 */
export function renderLimits(
  family: Family,
  wanted: readonly PortLimit[],
  table: FilterTable | undefined,
): string {
  const forwarded = (limit: PortLimit) =>
    `-p ${limit.protocol} -m conntrack --ctstate DNAT --ctorigdstport ${limit.port} --ctdir ORIGINAL`
  const taken = (limit: PortLimit) =>
    `-p ${limit.protocol} -m ${limit.protocol} --dport ${limit.port} -m addrtype --dst-type LOCAL`
  const matches = family === 'ipv4' ? [forwarded] : [forwarded, taken]
  const lines = wanted.flatMap((limit) =>
    matches.flatMap((match) => [
      ...limit.sources.map((source) => `-A ${ownChain} -s ${source} ${match(limit)} -j RETURN`),
      `-A ${ownChain} ${match(limit)} -j DROP`,
    ]),
  )
  const hasUserChain = table?.chains.has(userChain) ?? false
  const entries = family === 'ipv4' ? [userChain] : ['INPUT', ...(hasUserChain ? [userChain] : [])]
  return [
    '*filter',
    ...(family === 'ipv4' && !hasUserChain ? [`:${userChain} - [0:0]`] : []),
    `:${ownChain} - [0:0]`,
    ...(family === 'ipv6' ? [`-A ${ownChain} -i lo -j RETURN`] : []),
    ...lines,
    ...entries
      .filter((entry) => table === undefined || !isPassed(table, entry))
      .map((entry) => `-I ${entry} 1 -j ${ownChain}`),
    'COMMIT',
    '',
  ].join('\n')
}
