import { fetchProblems, isInternal, isV4, type PinnedAddress } from '../../host/fetch/index.ts'
import { askPort, askPublicAddress } from '../../host/reach/index.ts'
import { Problem } from '../../core/problem.ts'
import type { Caller } from '../../core/caller.ts'
import type { System } from './context.ts'
import type { PortAsked, PortState, PublicIp } from './model.ts'

/** Tells whether a port answers; only superusers may ask internal addresses (decision 1.11). */
export async function checkPort(
  { addresses }: System,
  { host, port, protocol }: PortAsked,
  { user }: Caller,
): Promise<PortState> {
  const pinned = await resolved(() => addresses.resolveAllowed(host, Math.min(port, 65_535), user))
  if (typeof pinned === 'string') return { open: false, message: pinned, time_ms: '' }
  const { isOpen, message, afterMs } = await askPort(pinned, protocol)
  return { open: isOpen, message, time_ms: afterMs === undefined ? '' : afterMs.toFixed(1) }
}

/** The address, or why the name has none. */
async function resolved(resolve: () => Promise<PinnedAddress>): Promise<PinnedAddress | string> {
  try {
    return await resolve()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const message = error.message.replace(/^url: /, '')
    if (error.kind === fetchProblems.HostNotFound) return message
    throw error.kind === fetchProblems.AddressRefused
      ? fetchProblems.AddressRefused(`host: ${message}`)
      : error
  }
}

/** Finds the addresses by which the internet reaches this host, and the one that the caller has. */
export async function findPublicIp({ addresses, publicIpUrl }: System, client: string): Promise<PublicIp> {
  const own = addresses.own().filter((address) => !isInternal(address))
  const [v4, v6] =
    publicIpUrl === ''
      ? [own.find((address) => isV4(address)), own.find((address) => !isV4(address))]
      : await Promise.all([askPublicAddress(publicIpUrl, 4), askPublicAddress(publicIpUrl, 6)])
  return {
    server: v4 ?? v6 ?? '',
    server_ipv4: v4 ?? '',
    server_ipv6: v6 ?? '',
    server_info:
      publicIpUrl === '' ? 'network interfaces' : `lookup at ${URL.parse(publicIpUrl)?.host ?? ''}`,
    client,
  }
}
