import { isIPv6 } from 'node:net'
import { UrlRefused } from './problems.ts'

/** An address that git may reach: over http, https or ssh. */
export interface RemoteUrl {
  /** As written in the configuration. */
  readonly text: string
  readonly scheme: 'http' | 'https' | 'ssh'
  readonly host: string
  readonly port: number
  /** Host and port as written in the address, by which git looks up credentials. */
  readonly authority: string
  /** The address without a port for ssh, if it differs. */
  readonly withoutPort?: string
}

const ports = { http: 80, https: 443, ssh: 22 } as const
const allowed = 'https://, http:// and ssh:// addresses and user@host:path are'

/**
 * Parses an address as git does (git-clone(1), GIT URLS) and refuses every other kind: local paths, `file://`, `git://`, `helper::…`,
 * addresses that could be taken for an option, and credentials in it. `field` prefixes the message.
 */
export function parseRemoteUrl(text: string, field = 'url'): RemoteUrl {
  const refuse = (why: string) => UrlRefused(`${field}: ${why}`)
  if (text.length > 2000) throw refuse('it is longer than 2000 characters')
  if (/[\p{Cc}\p{Cf}\s]/u.test(text) || !text.isWellFormed())
    throw refuse('it contains spaces or control characters')
  if (text.startsWith('-')) throw refuse(`${shownUrl(text)} begins with -`)
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https' && scheme !== 'ssh')
    throw refuse(`${scheme}:// is not allowed, only ${allowed}`)
  return scheme === undefined ? shortForm(text, refuse) : longForm(text, scheme, refuse)
}

/** Formats an address for replies and messages, without user information. */
export function shownUrl(text: string): string {
  return bared(text)
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
    .slice(0, 300)
    .toWellFormed()
}

function bared(text: string): string {
  const [, scheme = '', authority = ''] = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/)([^/]*)/.exec(text) ?? []
  if (scheme === '' || /^(?:[^:@]*|\[[^\]@]*\])(?::\d*)?$/.test(authority)) return text
  if (/^ssh:\/\/[^:/@]*@[^@]*$/i.test(scheme + authority)) return text
  // a password may contain an unescaped slash: then the host comes after what looks like a path
  const end = authority.includes('@') ? scheme.length + authority.lastIndexOf('@') : text.lastIndexOf('@')
  return end < 0 ? text : `${scheme}•••${text.slice(end)}`
}

type Refuse = (why: string) => Error

function longForm(text: string, scheme: RemoteUrl['scheme'], refuse: Refuse): RemoteUrl {
  const [, start = '', before, authority = '', path = ''] =
    /^([a-z]+:\/\/)(?:([^/]*)@)?([^/?#@]*)(.*)$/i.exec(text) ?? []
  if (before !== undefined && (scheme !== 'ssh' || !isLogin(before)))
    throw refuse('credentials do not belong in the address: send them as credentials')
  const [, host = '', port] = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]]*)(?::(\d{1,5}))?$/.exec(authority) ?? []
  refuseHost(host, refuse)
  const number = port === undefined ? ports[scheme] : Number(port)
  if (number < 1 || number > 65_535) throw refuse(`the port ${port} is not from 1 to 65535`)
  if (!path.startsWith('/') || path === '/') throw refuse('it names no repository')
  const bare = { text, scheme, host: bareHost(host), port: number, authority }
  const login = before === undefined ? '' : `${before}@`
  return scheme === 'ssh' && port !== undefined
    ? { ...bare, withoutPort: `${start}${login}${host}${path}` }
    : bare
}

// user@host:path, as in scp; a slash before the colon would make it a local path
function shortForm(text: string, refuse: Refuse): RemoteUrl {
  const [, login, host = '', path = ''] =
    /^(?:([^@:/]*)@)?(\[[0-9A-Fa-f:.]+\]|[^@:/[\]]*):(.*)$/.exec(text) ?? []
  if (
    host === '' ||
    path === '' ||
    path.startsWith(':') ||
    path.startsWith('-') ||
    (login !== undefined && !isLogin(login))
  )
    throw refuse(`${shownUrl(text)} is not the address of a repository: only ${allowed} allowed`)
  refuseHost(host, refuse)
  return { text, scheme: 'ssh', host: bareHost(host), port: ports.ssh, authority: host }
}

// an IPv6 address in canonical form
const bareHost = (host: string): string =>
  host.startsWith('[') ? new URL(`http://${host}`).hostname.slice(1, -1) : host
const isLogin = (text: string): boolean => /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/.test(text)

function refuseHost(host: string, refuse: Refuse): void {
  const isName = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/.test(host)
  if (!isName && !(host.startsWith('[') && isIPv6(host.slice(1, -1))))
    throw refuse(`${host.slice(0, 100)} is no host name`)
}
