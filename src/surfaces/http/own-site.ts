import { ipv4Form } from '../../core/ipv4-form.ts'
import type { FastifyRequest } from 'fastify'
import { Forbidden } from '../../core/problem.ts'

/**
 * True if a request comes from this host itself: not through a proxy, which would forward another client's
 * address, and not from a page whose name resolves to this host. A unix socket has no address.
 */
export function isDirectLoopback({ headers, socket, host }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some((name) => forwarding.test(name))
  const { remoteAddress } = socket
  const isForThisHost = remoteAddress === undefined || localHosts.has(hostNameOf(host))
  return !isForwarded && isForThisHost && isLoopback(remoteAddress)
}

const forwarding =
  /^(?:forwarded|via|x-forwarded-.*|x-(?:real|client|cluster-client|original|envoy-external)-.*|true-client-ip|cf-connecting-ip|fastly-client-ip)$/

/** True for a loopback address; a unix socket has none. */
export function isLoopback(address: string | undefined): boolean {
  return address === undefined || address === '::1' || ipv4Form(address).startsWith('127.')
}

/**
 * Refuses a request that a browser sends for a page of another origin, whatever its credential: a browser
 * opens sockets to any origin. On loopback connections the Host must be local too, as a foreign name can be
 * made to resolve to this host.
 */
export function refuseForeignSite(request: FastifyRequest): void {
  const { origin } = request.headers
  if (origin !== undefined && !isOwnOrigin(origin, request))
    throw Forbidden('This request came from a page of another site')
  const { localAddress } = request.socket
  if (localAddress !== undefined && isLoopback(localAddress) && !localHosts.has(hostNameOf(request.host)))
    throw Forbidden('Host: must be localhost, 127.0.0.1 or [::1] here')
}

const hostNameOf = (host: string): string => /^(?:\[[^\]]*\]|[^:]*)/.exec(host)?.[0] ?? ''
const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Compares the host alone, as the scheme is unknown behind a TLS proxy that is not configured as trusted. */
export function isOwnOrigin(origin: string, { protocol, host }: FastifyRequest): boolean {
  const from = URL.parse(origin)
  const own = from && URL.parse(`${from.protocol}//${host}`)
  if (!from || !own || from.host === '') return false
  return from.host === own.host && (protocol === 'http' || from.protocol === 'https:')
}
