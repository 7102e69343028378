import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { onAbort } from '../../core/on-abort.ts'
import { Semaphore } from '../../core/semaphore.ts'
import { AddressRefused, HostNotFound } from './problems.ts'
import { embeddedV4, isInternal, type Ranges, rangesOf } from './ranges.ts'

/** The address to connect to instead of resolving the name again; TLS and `Host` still use the name. */
export interface PinnedAddress {
  readonly host: string
  readonly port: number
  readonly address: string
  readonly family: 4 | 6
}

/** The relevant properties of the caller: `caller.user` has them. */
export interface Asker {
  readonly isAdmin: boolean
}

/** The addresses that callers may have the panel connect to (decision 1.11). */
export interface Addresses {
  /**
   * Resolves a host name or address once. Internal addresses are refused unless the caller is a superuser (AddressRefused, 400); a name that
   * does not resolve fails with HostNotFound. The caller connects to `address`, and resolves again for each redirect.
   */
  resolveAllowed(host: string, port: number, asker: Asker, signal?: AbortSignal): Promise<PinnedAddress>
  /** The addresses of this host, without loopback and link-local ones. */
  own(): readonly string[]
  /**
   * Returns the public addresses of a name and those of this host, to be shown; others would map the network
   * behind the panel. Empty if there are none within 3 seconds.
   */
  lookUp(name: string): Promise<readonly string[]>
}

export interface AddressOptions {
  /** Internal networks that every caller may reach, such as `10.1.0.0/16`. */
  readonly allow?: readonly string[]
  /** Resolves a name while the caller waits for it. Default: as the host does. */
  readonly resolve?: (host: string, signal: AbortSignal) => Promise<readonly string[]>
  /** The host's own addresses. Default: those of its network interfaces. */
  readonly own?: () => readonly string[]
}

const limitMs = 10_000
const shownLimitMs = 3000
const mostShown = 50
/** Loopback and link-local: no other host reaches them. */
const onThisLink = rangesOf(['127.0.0.0/8', '169.254.0.0/16', '::1', 'fe80::/10'])
/** A lookup occupies one of the four threads that the panel's own file access needs as well. */
const mostLookups = 2

/** Opens the policy on outbound addresses; an invalid address or network in `allow` throws a RangeError. */
export function openAddresses({
  allow = [],
  resolve = resolveHere,
  own = ownAddresses,
}: AddressOptions = {}): Addresses {
  const allowed = rangesOf(allow)
  const reachableOwn = () => own().filter((address) => !onThisLink.has(address))
  return {
    own: reachableOwn,
    lookUp: async (name) => {
      const own = rangesOf(reachableOwn())
      const addresses = await found(name, resolve, AbortSignal.timeout(shownLimitMs)).catch(() => [])
      return addresses.filter((address) => own.has(address) || !isInternal(address)).slice(0, mostShown)
    },
    resolveAllowed: async (host, port, asker, signal) => {
      const name = host.replace(/^\[(.*)\]$/, '$1')
      if (!/^[A-Za-z0-9._:%-]{1,253}$/.test(name) || name.startsWith('-'))
        throw AddressRefused(`url: ${name.slice(0, 253)} is no host name`)
      if (!Number.isInteger(port) || port < 1 || port > 65_535)
        throw AddressRefused(`url: the port ${port} is not from 1 to 65535`)
      const addresses = isIP(name) === 0 ? await found(name, resolve, signal) : [name]
      const address = asker.isAdmin
        ? addresses[0]
        : addresses.find((each) => isReachable(each, allowed, rangesOf(own())))
      if (address === undefined) throw AddressRefused(refusal(name, addresses))
      return { host: name, port, address, family: isIP(address) === 6 ? 6 : 4 }
    },
  }
}

function isReachable(address: string, allowed: Ranges, own: Ranges): boolean {
  const forms = [address, embeddedV4(address) ?? address]
  return forms.some(allowed.has) || !(isInternal(address) || forms.some(own.has))
}

// The addresses of an internal name are not disclosed: they would map the network behind the panel.
function refusal(name: string, addresses: readonly string[]): string {
  const message = 'only superusers may reach internal addresses and this host itself from here'
  return addresses.includes(name)
    ? `url: ${name} is refused: ${message}`
    : `url: ${name} resolves to an address that is refused: ${message}`
}

async function found(
  name: string,
  resolve: NonNullable<AddressOptions['resolve']>,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const until = AbortSignal.any([AbortSignal.timeout(limitMs), ...(signal ? [signal] : [])])
  const ended = new Promise<never>((_, reject) => onAbort(until, () => reject(until.reason)))
  ended.catch(() => {}) // relevant only while the lookup runs
  try {
    const addresses = (await Promise.race([resolve(name, until), ended])).filter(
      (address) => isIP(address) !== 0,
    )
    if (addresses.length > 0) return addresses
  } catch (cause) {
    signal?.throwIfAborted()
    throw HostNotFound(`url: ${name} cannot be resolved`, isDnsFailure(cause) ? {} : { cause })
  }
  throw HostNotFound(`url: ${name} has no address`)
}

const isDnsFailure = (error: unknown): boolean =>
  error instanceof Error && ('syscall' in error || error.name === 'TimeoutError')

const lookups = new Semaphore(mostLookups)

async function resolveHere(host: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolve = () => lookup(host, { all: true, order: 'verbatim' }) // glibc sorts unreachable addresses last
  return (await lookups.run(resolve, { signal })).map(({ address }) => address)
}

const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flat()
    .flatMap((card) => (card ? [card.address] : []))
