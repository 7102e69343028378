import { type Change, change, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { renderConfiguration, subnetV6 } from '../../tools/headscale/index.ts'
import type { VpnGateway } from './context.ts'
import { meshLock } from './locks.ts'
import type { VpnSettings, VpnSettingsEdit } from './model.ts'
import { assertNameserver, readSubnet, renumbered } from './networks.ts'
import { DomainMissing, SettingsInvalid } from './problems.ts'
import type { StoredSettings } from './store.ts'

/** Reads how the mesh is set up. */
export async function readSettings({ queries }: VpnGateway): Promise<VpnSettings> {
  return { ...(await queries.settings()), subnet_v6: subnetV6 }
}

/** Renders the configuration of the control server from the settings. */
export function configurationOf({
  domain,
  base_domain,
  subnet,
  magic_dns,
  nameservers,
}: StoredSettings): string {
  if (domain === null)
    throw DomainMissing('domain: set the name by which nodes reach this host first, such as vpn.example.com')
  return renderConfiguration({
    ...{ domain, baseDomain: base_domain, subnet },
    ...{ magicDns: magic_dns, nameservers },
  })
}

/** True once the control server is installed by the panel. */
export const isInstalled = async ({ server }: VpnGateway): Promise<boolean> =>
  (await server.readStoredKey()) !== undefined && (await server.installedVersion()) !== undefined

/** Changes how the mesh is set up, and restarts the control server if it is installed. */
export async function changeSettings(
  on: VpnGateway,
  edit: VpnSettingsEdit,
): Promise<Change<{ success: true }>> {
  const former = await on.queries.settings()
  const next: StoredSettings = { ...former, ...edit }
  const installed = await isInstalled(on)
  if (installed && next.domain !== former.domain)
    throw SettingsInvalid('domain: every node knows the control server by it: uninstall the gateway first')
  if (installed && next.username !== former.username)
    throw SettingsInvalid('username: the website has its owner already: move the website instead')
  assertNames(next)
  assertNameservers(next)
  return change({
    summary: 'Change the settings of the mesh',
    locks: [meshLock],
    steps: installed ? [await reconfiguration(on, 'Change the settings of the control server', next)] : [],
    rows: [await on.queries.changed(edit)],
    reply: success,
  })
}

/** The names of nodes must not hide the control server (headscale refuses such a base domain). */
function assertNames({ domain, base_domain }: StoredSettings): void {
  if (domain !== null && (domain === base_domain || domain.endsWith(`.${base_domain}`)))
    throw SettingsInvalid(
      `base_domain: must not be ${domain} or a domain above it, which nodes need to reach the control server`,
    )
}

function assertNameservers({ nameservers }: StoredSettings): void {
  for (const [index, address] of nameservers.entries()) assertNameserver(address, `nameservers.${index}`)
}

/** Gives the mesh another network, and every node an address of it. */
export async function changeSubnet(
  on: VpnGateway,
  { subnet: text }: { readonly subnet: string },
): Promise<Change<{ success: true }>> {
  const former = await on.queries.settings()
  const subnet = readSubnet(text)
  const next: StoredSettings = { ...former, subnet }
  const steps =
    subnet !== former.subnet && (await isInstalled(on))
      ? [await reconfiguration(on, `Move the mesh to ${subnet}`, next, await movedNodes(on, subnet))]
      : []
  return change({
    summary: `Move the mesh to the network ${subnet}`,
    locks: [meshLock],
    steps,
    rows: [await on.queries.changed({ subnet })],
    reply: success,
  })
}

async function movedNodes({ server }: VpnGateway, subnet: string): Promise<Addresses> {
  const nodes = (await server.listNodes()).flatMap(({ id, addresses }) => {
    const ipv4 = addresses.find((address) => address.includes('.'))
    return ipv4 === undefined ? [] : [{ id, ipv4 }]
  })
  return Object.fromEntries([...renumbered(nodes, subnet)].map(([id, ipv4]) => [String(id), { ipv4 }]))
}

type Addresses = Readonly<Record<string, { readonly ipv4?: string; readonly ipv6?: string }>>

/** The step that restarts the control server with another configuration or other addresses of nodes. */
export async function reconfiguration(
  { server }: VpnGateway,
  title: string,
  settings: StoredSettings,
  addresses: Addresses = {},
) {
  if (!(await server.isRunning())) throw SettingsInvalid('The control server does not run: start it first')
  return step(server.steps.reconfigure, { title, configuration: configurationOf(settings), addresses })
}
