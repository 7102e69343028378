import { UrlInvalid } from './problems.ts'

const longest = 8192

/** Parses the URL of a download: http or https, without credentials. */
export function readUrl(text: string): URL {
  if (text.length > longest) throw UrlInvalid(`url: must be at most ${longest} characters`)
  const url = URL.parse(text)
  if (url === null) throw UrlInvalid('url: must be a URL such as https://example.com/file.zip')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw UrlInvalid(`url: must begin with http:// or https://, not ${url.protocol}`)
  if (url.username !== '' || url.password !== '')
    throw UrlInvalid('url: must not contain a user name or password')
  if (url.hostname === '') throw UrlInvalid('url: must name a host')
  url.hash = ''
  return url
}

/** Formats a URL for messages and records, with its query masked, which may contain tokens. */
export function shownUrl({ origin, pathname, search }: URL): string {
  const path = pathname.length > 300 ? `${pathname.slice(0, 300)}…` : pathname
  return `${origin}${path}${search === '' ? '' : '?••••••••'}`
}

/** Returns the port of a URL, or the default one of its scheme. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}
