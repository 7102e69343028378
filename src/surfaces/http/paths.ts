import { MethodNotAllowed } from '../../core/problem.ts'
import type { Route } from '../routes.ts'

/** The methods that a path accepts, for the refusal of another one. */
export interface Allowed {
  readonly methods: readonly string[]
  /** True if the refusal is plain text, as JSON-RPC clients expect it. */
  readonly isPlain: boolean
}

/**
 * Returns the methods that the document has for a path; only called for refusals, so walking over all patterns
 * is fast enough. As in the document, a path without parameters comes before one with them.
 */
export function allowedMethods(routes: readonly Route[]): (path: string) => Allowed {
  const patterns = routes.map(({ path, endpoint }) => ({
    pattern: patternOf(path),
    parameters: path.split('{').length - 1,
    endpoint,
  }))
  return (path) => {
    const matching = patterns.filter(({ pattern }) => pattern.test(path))
    const fewest = Math.min(...matching.map(({ parameters }) => parameters))
    const found = matching.filter(({ parameters }) => parameters === fewest).map(({ endpoint }) => endpoint)
    return {
      methods: [...new Set(found.map(({ method }) => method))],
      isPlain: found.some(({ reply }) => reply.kind === 'rpc'),
    }
  }
}

/** Refuses a method that a path does not accept, naming those that it does (RFC 9110, section 15.5.6). */
export function notAllowed(methods: readonly string[]): Error {
  const allow = methods.join(', ')
  return MethodNotAllowed(`This path takes ${allow}`, { headers: { allow } })
}

function patternOf(path: string): RegExp {
  const parts = path
    .split('/')
    .map((part) => (part.startsWith('{') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
  return new RegExp(`^${parts.join('/')}/?$`)
}
