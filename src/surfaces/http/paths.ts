import type { Route } from '../routes.ts'

/** The methods that a path accepts, for the refusal of another one. */
export interface Allowed {
  readonly methods: readonly string[]
  /** True if the refusal is plain text, as JSON-RPC clients expect it. */
  readonly isPlain: boolean
}

/**
 * Returns the methods that a path accepts; only called if no route matched, so walking over all patterns is
 * fast enough.
 */
export function allowedMethods(routes: readonly Route[]): (path: string) => Allowed {
  const patterns = routes.map(({ path, endpoint }) => ({ pattern: patternOf(path), endpoint }))
  return (path) => {
    const found = patterns.filter(({ pattern }) => pattern.test(path)).map(({ endpoint }) => endpoint)
    return {
      methods: [...new Set(found.map(({ method }) => method))],
      isPlain: found.some(({ reply }) => reply.kind === 'rpc'),
    }
  }
}

function patternOf(path: string): RegExp {
  const parts = path
    .split('/')
    .map((part) => (part.startsWith('{') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
  return new RegExp(`^${parts.join('/')}/?$`)
}
