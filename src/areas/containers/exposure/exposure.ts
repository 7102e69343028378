import { isWithin, parseNetwork } from '../../../host/networks.ts'
import {
  type FilterTable,
  type PortReach,
  reachThrough,
  type shapes,
  userChain,
} from '../../../tools/docker/index.ts'
import { type InputRule, inputRules } from '../../firewall/index.ts'
import type { Containers } from '../context.ts'
import type { ContainerPort } from '../model.ts'
import { isLoopback } from '../ports.ts'
import type { ExposedPort, Exposure } from './model.ts'
import { keyOf, listLimits } from './store.ts'

/** What packets to published ports pass. */
interface Filters {
  readonly ipv4: FilterTable | undefined
  readonly ipv6: FilterTable | undefined
  /** The rules of the firewall for packets to this host; undefined while it is off. */
  readonly input: readonly InputRule[] | undefined
}

/** Reports who can reach each published port, computed from DOCKER-USER and the firewall. */
export async function readExposure(on: Containers): Promise<Exposure> {
  const { docker, firewall, store } = on
  const containers = (await docker.listContainers()).filter(({ State }) => isUp(State))
  const [tables, input, limits] = await Promise.all([
    docker.readFilters(),
    inputRules(firewall),
    listLimits(store),
  ])
  const filters = { ...tables, input }
  const limitOf = new Map(limits.map((limit) => [keyOf(limit), [...limit.sources]]))
  const unread = new Set<string>()
  const ports = containers.flatMap(({ Id, Names, Ports }) =>
    (Ports ?? []).flatMap((listed): ExposedPort[] => {
      const { IP: address = '', PublicPort: port = 0, PrivatePort, Type: protocol } = listed
      if (port === 0) return []
      const reach = reachOf(listed, filters)
      for (const rule of reach.unread) unread.add(rule.slice(0, 1000))
      return [
        {
          id: Id,
          container: (Names?.[0] ?? '').slice(1),
          address,
          port,
          container_port: PrivatePort,
          protocol,
          ...shownReach(reach, address),
          limit: limitOf.get(`${port}/${protocol}`) ?? null,
        },
      ]
    }),
  )
  return {
    ports: ports.toSorted((one, other) => widthOf(other) - widthOf(one) || one.port - other.port),
    host_network: containers
      .filter(({ HostConfig }) => HostConfig?.NetworkMode === 'host')
      .map(({ Names }) => (Names?.[0] ?? '').slice(1)),
    is_filtered: tables.ipv4 !== undefined,
    unread_rules: [...unread],
  }
}

const isUp = (state: string) => state === 'running' || state === 'paused' || state === 'restarting'

const widths: readonly ExposedPort['reach'][] = ['host', 'sources', 'address', 'anyone']
const widthOf = ({ reach }: ExposedPort) => widths.indexOf(reach)

const everyAddress = new Set(['', '0.0.0.0', '::'])

/** Shows who reaches a port on an address of the host. */
export function shownReach(
  { isOpen, allowed, denied }: PortReach,
  address: string,
): Pick<ExposedPort, 'reach' | 'sources' | 'denied'> {
  const none = { sources: [], denied: [] }
  if (isLoopback(address)) return { reach: 'host', ...none }
  if (isOpen)
    return { reach: everyAddress.has(address) ? 'anyone' : 'address', sources: [], denied: [...denied] }
  if (allowed.length === 0) return { reach: 'host', ...none }
  return { reach: 'sources', sources: [...allowed], denied: [...denied] }
}

/** Over IPv6 a program of the engine takes the packets on this host, unless the engine filters IPv6 too. */
export function reachOf(
  { IP = '', PublicPort: hostPort = 0, PrivatePort, Type: protocol }: shapes.ListedPort,
  { ipv4, ipv6, input }: Filters,
): PortReach {
  const open: PortReach = { isOpen: true, allowed: [], denied: [], unread: [] }
  if (!IP.includes(':') || ipv6?.chains.has(userChain)) {
    const table = IP.includes(':') ? ipv6 : ipv4
    return table ? reachThrough(table, userChain, { protocol, hostPort, packetPort: PrivatePort }) : open
  }
  const filtered = ipv6 ? reachThrough(ipv6, 'INPUT', { protocol, hostPort, packetPort: hostPort }) : open
  return input === undefined
    ? filtered
    : bothOf(filtered, throughFirewall(input, { protocol, port: hostPort }))
}

/** Follows the rules of the firewall for IPv6. */
function throughFirewall(
  rules: readonly InputRule[],
  { protocol, port }: { readonly protocol: string; readonly port: number },
): PortReach {
  const [allowed, denied]: [string[], string[]] = [[], []]
  for (const { admits, sources, ...rule } of rules) {
    if (rule.family === 'ipv4' || (rule.protocol ?? protocol) !== protocol) continue
    if (rule.ports.length > 0 && !rule.ports.some((ports) => isIn(port, ports))) continue
    const own = sources.filter((source) => parseNetwork(source)?.family === 'ipv6')
    if (sources.length === 0) return { isOpen: admits, allowed, denied, unread: [] }
    ;(admits ? allowed : denied).push(...own)
  }
  return { isOpen: false, allowed, denied, unread: [] }
}

function isIn(port: number, ports: string): boolean {
  const [first = 0, last = first] = ports.split('-').map(Number)
  return port >= first && port <= last
}

/** Packets have to pass both; an address that one admits counts where the other admits its network. */
function bothOf(one: PortReach, other: PortReach): PortReach {
  const denied = [...one.denied, ...other.denied]
  const unread = [...one.unread, ...other.unread]
  if (one.isOpen) return { ...other, denied, unread }
  if (other.isOpen) return { ...one, denied, unread }
  const isInside = (source: string, all: readonly string[]) =>
    all.includes(source) || isWithin(source.replace(/\/.*/, ''), all)
  const allowed = [
    ...one.allowed.filter((source) => isInside(source, other.allowed)),
    ...other.allowed.filter((source) => isInside(source, one.allowed)),
  ]
  return { isOpen: false, allowed: [...new Set(allowed)], denied, unread }
}

/** Adds to listed ports who can reach them; nothing is read where no port leaves this host. */
export async function withReach<Listed extends { readonly published: readonly ContainerPort[] }>(
  on: Pick<Containers, 'docker' | 'firewall'>,
  containers: readonly Listed[],
): Promise<readonly (Omit<Listed, 'published'> & { published: ContainerPort[] })[]> {
  const isOut = ({ port, address }: ContainerPort) => port > 0 && !isLoopback(address)
  const needed = containers.some(({ published }) => published.some(isOut))
  const filters = needed
    ? { ...(await on.docker.readFilters()), input: await inputRules(on.firewall) }
    : undefined
  const shown = (port: ContainerPort): ContainerPort => {
    if (filters === undefined || !isOut(port)) return port
    const listed = {
      IP: port.address,
      PublicPort: port.port,
      PrivatePort: port.container_port,
      Type: port.protocol,
    }
    const { reach, sources } = shownReach(reachOf(listed, filters), port.address)
    return { ...port, reach, sources }
  }
  return containers.map((each) => ({ ...each, published: each.published.map(shown) }))
}
