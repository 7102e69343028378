import { BadRequest } from '../../core/problem.ts'
import type { Route } from '../routes.ts'

/** An endpoint as an agent names it, in its only spelling. */
export interface Target {
  /** The path as it is sent: every part decoded and encoded once, without `.`, `..` and empty parts. */
  readonly path: string
  readonly parts: readonly string[]
  /** With `?`; empty if there is none. */
  readonly query: string
}

const longestPath = 8192

/**
 * Reads a path: one that begins with /api/ is taken as it is, any other is below it. The gates and the request
 * see the same spelling, so that none gets past them by another one.
 */
export function targetOf(text: string): Target {
  const [address = ''] = text.split('#')
  const at = address.indexOf('?')
  const path = at < 0 ? address : address.slice(0, at)
  const query = at < 0 ? '' : address.slice(at)
  if (text.length > longestPath || /[\u0000-\u0020\u007f\\]/.test(text))
    throw BadRequest('path: must be a path without blanks, control characters and backslashes')
  const parts = partsOf(path === '/api' || path.startsWith('/api/') ? path : `/api/${path}`)
  if (parts[0] !== 'api') throw BadRequest('path: must stay below /api')
  return { path: `/${parts.map(encodeURIComponent).join('/')}`, parts, query: encoded(query) }
}

function partsOf(path: string): readonly string[] {
  const parts: string[] = []
  for (const part of path.split('/').map(decoded)) {
    if (part === '' || part === '.') continue
    if (part === '..') parts.pop()
    else parts.push(part)
  }
  return parts
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw BadRequest(`path: ${part.slice(0, 100)} is not percent-encoded UTF-8`)
  }
}

/** A request line is ASCII. */
const encoded = (query: string): string =>
  query.replaceAll(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character))

/** The routes that a path can mean; several if one has a parameter where another has a name. */
export function routesAt(routes: readonly Route[], method: string, { parts }: Target): readonly Route[] {
  return routes.filter((route) => {
    if (route.endpoint.method !== method) return false
    const own = route.path.split('/').slice(1)
    return own.length === parts.length && own.every((part, at) => part.startsWith('{') || part === parts[at])
  })
}
