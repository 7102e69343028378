import { parseNetwork } from '../../host/networks.ts'
import type { PublishedPort, shapes } from '../../tools/docker/index.ts'
import type { AreaPort } from '../firewall/index.ts'
import type { Containers } from './context.ts'
import type { ContainerPort } from './model.ts'
import { keyOf, listLimits } from './exposure/store.ts'
import { DraftInvalid } from './problems.ts'

const pattern = /^(?:(\[[^\]]*\]|[^:[\]]*):)?(\d{1,5}):(\d{1,5})(?:\/(tcp|udp))?$/
const expected = 'use [ip:]host:container[/tcp or /udp], with an IPv6 address in brackets'

/** Reads `[ip:]host:container[/tcp or /udp]`; blank entries are skipped. */
export function readPorts(texts: readonly string[] = []): readonly PublishedPort[] {
  const ports = texts.flatMap((text, index) =>
    text.trim() === '' ? [] : [readPort(text.trim(), `ports.${index}`)],
  )
  const seen = new Set<string>()
  for (const { ip, host, protocol } of ports) {
    const key = `${ip}:${host}/${protocol}`
    if (seen.has(key)) throw DraftInvalid(`ports: ${key} is published twice`)
    seen.add(key)
  }
  return ports
}

function readPort(text: string, field: string): PublishedPort {
  const [, address, host, container, protocol = 'tcp'] = pattern.exec(text) ?? []
  if (host === undefined || container === undefined)
    throw DraftInvalid(`${field}: ${text} is not a published port: ${expected}`)
  const ip = address?.replace(/^\[|\]$/g, '') ?? ''
  if (
    address !== undefined &&
    (ip.includes('/') || parseNetwork(ip) === undefined || ip.includes(':') !== address.startsWith('['))
  )
    throw DraftInvalid(`${field}: ${text}: ${address} is not an address: ${expected}`)
  const numbers = [Number(host), Number(container)] as const
  if (numbers.some((port) => port < 1 || port > 65_535))
    throw DraftInvalid(`${field}: ${text}: ports are from 1 to 65535`)
  return { ip, host: numbers[0], container: numbers[1], protocol: protocol === 'udp' ? 'udp' : 'tcp' }
}

/** Only this host reaches a port of a loopback address. */
export const isLoopback = (ip: string): boolean => ip.startsWith('127.') || ip === '::1'

/** Names the ports that others than this host can reach, as `port/protocol`. */
export function openedPorts(ports: readonly Pick<PublishedPort, 'ip' | 'host' | 'protocol'>[]): string[] {
  const opened = ports.filter(({ ip }) => !isLoopback(ip))
  return [...new Set(opened.map(({ host, protocol }) => `${host}/${protocol}`))]
}

/** Shows the ports of a container with their reach by their addresses alone. */
export function shownPorts(ports: readonly shapes.ListedPort[] | null): ContainerPort[] {
  return (ports ?? []).map(({ IP = '', PublicPort = 0, PrivatePort, Type }) => ({
    address: IP,
    port: PublicPort,
    container_port: PrivatePort,
    protocol: Type,
    reach: reachOf(IP, PublicPort),
    sources: [],
  }))
}

const everyAddress = new Set(['', '0.0.0.0', '::'])

function reachOf(ip: string, port: number): ContainerPort['reach'] {
  if (port === 0 || isLoopback(ip)) return 'host'
  return everyAddress.has(ip) ? 'anyone' : 'address'
}

/** Writes ports as `docker ps` does. */
export const portsText = (ports: readonly ContainerPort[]): string =>
  ports
    .map(({ address, port, container_port: inside, protocol }) =>
      port === 0
        ? `${inside}/${protocol}`
        : `${address.includes(':') ? `[${address}]` : address}:${port}->${inside}/${protocol}`,
    )
    .join(', ')

/** Lists the ports that the firewall opens: those that running containers publish on other addresses than loopback, to those who may reach them. */
export async function portsOfContainers({ docker, store }: Containers): Promise<readonly AreaPort[]> {
  const containers = await docker.listContainers().catch(() => []) // without an engine nothing is published
  if (containers.length === 0) return []
  const limits = new Map((await listLimits(store)).map((limit) => [keyOf(limit), limit.sources]))
  return containers.flatMap(({ Names, Ports }) =>
    shownPorts(Ports)
      .filter(({ port, address }) => port > 0 && !isLoopback(address))
      .flatMap(({ port, protocol }): AreaPort[] => {
        if (protocol !== 'tcp' && protocol !== 'udp') return []
        const sources = limits.get(keyOf({ port, protocol }))
        if (sources?.length === 0) return []
        const reason = `${Names?.[0]?.slice(1)} publishes it`
        return [{ port, protocol, ...(sources && { sources }), name: 'Containers', reason }]
      }),
  )
}
