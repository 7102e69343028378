import Type from 'typebox'
import { Check } from 'typebox/value'
import type { Found } from '../../core/tool.ts'
import { serviceOf, serviceStep } from '../../host/apply/steps.ts'
import type { Host } from '../../host/index.ts'
import { type Opening, tool } from '../tool.ts'
import { isOwn, readConfiguration } from './configuration.ts'
import { configurationPath, writeConfiguration } from './write-configuration.ts'

export type { VirtualAddress } from './configuration.ts'
export { ConfigRejected, ForeignConfig } from './problems.ts'

interface SwitchArgs {
  readonly verb: 'start' | 'stop' | 'restart' | 'enable' | 'disable'
}

/** keepalived, which moves a virtual address between hosts by VRRP. */
export const keepalived = tool({
  name: 'keepalived',
  title: 'keepalived',
  packages: ['keepalived'],
  service: 'keepalived',
  isOptional: true,
  detect,
  steps: ({ host, service }) => ({
    writeConfiguration: writeConfiguration(host),
    switchProgram: serviceStep<SwitchArgs>(serviceOf(host.services, service), {
      name: 'keepalived.switch-program',
      title: 'keepalived',
      reloads: 'keepalived',
    }),
  }),
  verbs: ({ host, service }) => ({
    /** Returns whether its service runs. */
    isRunning: async () => (await host.services.status(service)).active,
    /** Reads what the panel configured; undefined if that is nothing. */
    readConfiguration: async () => {
      const content = await host.files.read(configurationPath)
      return content === undefined || !isOwn(content) ? undefined : readConfiguration(content)
    },
    /** Lists the addresses of the interfaces of this host. */
    listAddresses: () => listAddresses(host),
  }),
})

/** An IPv4 address of this host. */
export interface OwnAddress {
  readonly interface: string
  readonly address: string
  readonly prefix: number
}

const Interfaces = Type.Array(
  Type.Object({
    ifname: Type.String(),
    addr_info: Type.Array(
      Type.Object({ family: Type.String(), local: Type.Optional(Type.String()), prefixlen: Type.Integer() }),
    ),
  }),
)

async function listAddresses({ run }: Pick<Host, 'run'>): Promise<readonly OwnAddress[]> {
  const { code, stdout, stderr } = await run(['ip', '-json', '-4', 'address', 'show'], { timeoutMs: 20_000 })
  if (code !== 0) throw new Error(`ip: ${stderr}`)
  const parsed: unknown = JSON.parse(stdout || '[]')
  if (!Check(Interfaces, parsed)) throw new Error('ip printed something unexpected')
  return parsed.flatMap(({ ifname, addr_info }) =>
    addr_info.flatMap(({ local, prefixlen }) =>
      local === undefined ? [] : [{ interface: ifname, address: local, prefix: prefixlen }],
    ),
  )
}

async function detect({ host }: Opening): Promise<Found> {
  const version = await host.packages.version('keepalived')
  if (version === undefined)
    return { present: false, version: null, healthy: false, reason: 'keepalived is not installed' }
  const upstream = version.replace(/^\d+:/, '').replace(/-[^-]*$/, '')
  return { present: true, version: upstream, healthy: true, reason: null }
}
