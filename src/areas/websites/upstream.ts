import type { Caller } from '../../core/caller.ts'
import { Forbidden, Problem } from '../../core/problem.ts'
import { hostnameFromTyped } from '../../core/typed-hostname.ts'
import type { Addresses } from '../../host/fetch/index.ts'
import { isWithin } from '../../host/networks.ts'
import { UpstreamInvalid } from './problems.ts'

/** Link-local, with the metadata of cloud machines: never what a website shows. */
const linkLocal = ['169.254.0.0/16', 'fe80::/10']

/** A Unix socket, or a host with its port. */
type Target =
  | { readonly socket: string }
  | { readonly host: string; readonly port: number; readonly isTls: boolean }

const ports: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** Parses an upstream, or fails with what is wrong. */
export function parseUpstream(text: string): Target {
  const refuse = (reason: string) => UpstreamInvalid(`upstream: ${reason}`)
  if (text.startsWith('unix:')) {
    const socket = text.slice('unix:'.length)
    if (!/^\/[A-Za-z0-9_.@/-]{1,106}$/.test(socket) || socket.split('/').includes('..'))
      throw refuse('unix: must be followed by an absolute path of at most 107 letters, digits and _.@-')
    return { socket }
  }
  const url = URL.parse(text)
  const port = url === null ? undefined : ports[url.protocol]
  if (url === null || port === undefined)
    throw refuse('must be http://host:port, https://host:port or unix:/path')
  if (url.username !== '' || url.password !== '') throw refuse('must not contain a user name or a password')
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || text.includes('#'))
    throw refuse('must end after the port: paths are forwarded as they are')
  const isTls = url.protocol === 'https:'
  const host = hostnameFromTyped(url.hostname)
  if (host === '') throw refuse('must name a host')
  return { host, port: url.port === '' ? port : Number(url.port), isTls }
}

/** Returns the address of an upstream that the caller may reach (decision 1.11); null for a Unix socket. */
export async function resolveUpstream(
  addresses: Addresses,
  text: string,
  { user }: Caller,
): Promise<string | null> {
  const target = parseUpstream(text)
  if ('socket' in target) {
    if (!user.isAdmin) throw Forbidden('upstream: only superusers may forward to a Unix socket')
    return null
  }
  try {
    const { address } = await addresses.resolveAllowed(target.host, target.port, user)
    if (isWithin(address, linkLocal))
      throw UpstreamInvalid(`upstream: ${target.host} is a link-local address`)
    return address
  } catch (error) {
    if (!(error instanceof Problem) || error.kind === UpstreamInvalid) throw error
    throw UpstreamInvalid(error.message.replace(/^url:/, 'upstream:'), { cause: error })
  }
}
