import Type from 'typebox'
import { Check } from 'typebox/value'
import type { Host } from '../../host/index.ts'

/** An address of this host with the network that it is in. */
export interface OwnNetwork {
  readonly interface: string
  readonly address: string
  readonly prefix: number
}

const Interfaces = Type.Array(
  Type.Object({
    ifname: Type.String(),
    addr_info: Type.Array(
      Type.Object({
        local: Type.Optional(Type.String()),
        prefixlen: Type.Integer(),
        scope: Type.Optional(Type.String()),
      }),
    ),
  }),
)
const Routes = Type.Array(Type.Object({ prefsrc: Type.Optional(Type.String()) }))
/** Links of other types are empty objects in some versions. */
const Links = Type.Array(Type.Object({ ifname: Type.Optional(Type.String()) }))
const limits = { timeoutMs: 20_000, maxBytes: 4 * 1024 * 1024 }

/** Lists the networks of this host; those of tunnels and of the loopback are none. */
export async function listNetworks({ run }: Pick<Host, 'run'>): Promise<readonly OwnNetwork[]> {
  const { code, stdout, stderr } = await run(['ip', '-json', 'address', 'show'], limits)
  if (code !== 0) throw new Error(`ip: ${stderr}`)
  const parsed: unknown = JSON.parse(stdout || '[]')
  if (!Check(Interfaces, parsed)) throw new Error('ip printed something unexpected')
  return parsed
    .filter(({ ifname }) => !/^ipsec\d+$/.test(ifname))
    .flatMap(({ ifname, addr_info }) =>
      addr_info.flatMap(({ local, prefixlen, scope }) =>
        local === undefined || scope === 'link' || scope === 'host'
          ? []
          : [{ interface: ifname, address: local, prefix: prefixlen }],
      ),
    )
}

/** Returns the address from which this host reaches another one; undefined if it does not. Nothing is sent. */
export async function addressTowards(
  { run }: Pick<Host, 'run'>,
  address: string,
): Promise<string | undefined> {
  const { code, stdout } = await run(['ip', '-json', 'route', 'get', address], limits)
  if (code !== 0) return undefined
  const parsed: unknown = JSON.parse(stdout || '[]')
  return Check(Routes, parsed) ? parsed[0]?.prefsrc : undefined
}

/** Returns whether the host has a bridge, as engines of containers and virtual machines make one to forward from. */
export async function hasBridge({ run }: Pick<Host, 'run'>): Promise<boolean> {
  const { code, stdout } = await run(['ip', '-json', 'link', 'show', 'type', 'bridge'], limits)
  const parsed: unknown = code === 0 ? JSON.parse(stdout || '[]') : []
  return Check(Links, parsed) && parsed.some(({ ifname }) => ifname !== undefined)
}
