import { readdir } from 'node:fs/promises'
import { must } from './outer.ts'

/** Makes the switch that the hosts of one run are plugged into: a bridge in a network namespace of its own, out of this machine's reach. */
export async function makeSwitch(prefix: string): Promise<void> {
  const name = switchOf(prefix)
  await must(['ip', 'netns', 'add', name])
  await must(['ip', '-n', name, 'link', 'set', 'lo', 'up'])
  await must(['ip', '-n', name, 'link', 'add', 'br0', 'type', 'bridge', 'forward_delay', '0'])
  await must(['ip', '-n', name, 'link', 'set', 'br0', 'up'])
}

/** The cables of one host. */
export interface Network {
  /** Name of the host's network namespace. */
  readonly namespace: string
  /** Unplugs or plugs in every cable; the host keeps its addresses and sees its carrier change. */
  setCables(state: 'up' | 'down'): Promise<void>
  remove(): Promise<void>
}

/** Gives a host its network namespace with one card (eth0, eth1 ...) for each address, plugged into the run's switch. */
export async function makeNetwork(
  prefix: string,
  host: string,
  addresses: readonly string[],
): Promise<Network> {
  const namespace = `${prefix}-${host}`
  const ports = addresses.map((_, index) => `${host}-${index}`)
  await must(['ip', 'netns', 'add', namespace])
  await must(['ip', '-n', namespace, 'link', 'set', 'lo', 'up'])
  for (const [index, address] of addresses.entries())
    await plugCard(prefix, namespace, { port: ports[index] ?? '', card: `eth${index}`, address })
  return {
    namespace,
    setCables: async (state) => {
      for (const port of ports) await must(['ip', '-n', switchOf(prefix), 'link', 'set', port, state])
    },
    remove: async () => {
      for (const port of ports) await must(['ip', '-n', switchOf(prefix), 'link', 'del', port])
      await must(['ip', 'netns', 'del', namespace])
    },
  }
}

/** The path of the file of a network namespace. */
export function namespacePath(namespace: string): string {
  return `/run/netns/${namespace}`
}

/** Removes the switch and the namespaces of all hosts of a run. */
export async function removeNamespaces(prefix: string): Promise<void> {
  const names = await readdir('/run/netns').catch(() => [])
  for (const name of names.filter((entry) => entry.startsWith(`${prefix}-`)))
    await must(['ip', 'netns', 'del', name])
}

async function plugCard(
  prefix: string,
  namespace: string,
  cable: { port: string; card: string; address: string },
): Promise<void> {
  const { port, card, address } = cable
  const hub = switchOf(prefix)
  const noDuplicateCheck = address.includes(':') ? ['nodad'] : [] // IPv6 would keep the address tentative for a second
  await must(['ip', '-n', hub, 'link', 'add', port, 'type', 'veth', 'peer', 'name', card, 'netns', namespace])
  await must(['ip', '-n', hub, 'link', 'set', port, 'master', 'br0', 'up'])
  await must(['ip', '-n', namespace, 'addr', 'add', address, 'dev', card, ...noDuplicateCheck])
  await must(['ip', '-n', namespace, 'link', 'set', card, 'up'])
}

function switchOf(prefix: string): string {
  return `${prefix}-switch`
}
