import type { Route } from '../routes.ts'

/** Tells which methods a path takes; only asked when no route matched, so a walk over all patterns is soon enough. */
export function allowedMethods(routes: readonly Route[]): (path: string) => readonly string[] {
  const patterns = routes.map(({ path, endpoint }) => ({ pattern: patternOf(path), method: endpoint.method }))
  return (path) => [
    ...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)),
  ]
}

function patternOf(path: string): RegExp {
  const parts = path
    .split('/')
    .map((part) => (part.startsWith('{') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
  return new RegExp(`^${parts.join('/')}/?$`)
}
