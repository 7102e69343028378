import Type, { type Static } from 'typebox'
import { OneOf, Text } from '../../core/schemas.ts'

/** The plugins of decision 4.4, with the areas that implement them. */
export const catalog = [
  {
    name: 'webacl',
    title: 'Web access control',
    description: 'Rules that allow, block or challenge requests to websites',
  },
  { name: 'authdns', title: 'Authoritative DNS', description: 'Zones and records served by PowerDNS' },
  { name: 'logstore', title: 'Log store', description: 'Search in the logs of the host and its websites' },
  { name: 'nettools', title: 'Network tools', description: 'Ping, traceroute and packet captures' },
  { name: 'containers', title: 'Containers', description: 'Docker containers, images and the catalog' },
  { name: 'mcp', title: 'MCP server', description: 'Lets agents use the panel through scoped keys' },
  { name: 'vpn-gateway', title: 'VPN gateway', description: 'WireGuard meshes and IPsec connections' },
  { name: 'mailbox-backup', title: 'Mailbox backup', description: 'Backups of Microsoft 365 mailboxes' },
  {
    name: 'uptime',
    title: 'Uptime monitor',
    description: 'HTTP and TCP checks with alerts and DNS failover',
  },
] as const

export type PluginName = (typeof catalog)[number]['name']
export const PluginName = OneOf(
  catalog.map(({ name }) => name) as unknown as readonly [PluginName, ...PluginName[]],
  {
    description: 'Name of the plugin',
  },
)

export const Plugin = Type.Object({
  name: Text(50),
  title: Text(100),
  description: Text(300),
  enabled: Type.Boolean({ description: 'Whether its area answers' }),
  planned: Type.Boolean({ description: 'Whether a later version brings its area' }),
  installed: Type.Boolean({ description: 'Whether its program is there' }),
  version: Type.Union([Text(100), Type.Null()], { description: 'Version of its program' }),
})
export type Plugin = Static<typeof Plugin>
