import type { Area } from '../core/area.ts'
import type { Endpoint } from '../core/endpoint.ts'
import type { Guard } from '../core/guard.ts'

/** An endpoint with its area, and what its runs are handed. */
export interface Route {
  readonly area: Area<any, any>
  readonly endpoint: Endpoint
  readonly guard: Guard
  /** Full path with parameters as `{id}`. */
  readonly path: string
  /** Bound context of the area; empty where routes are only described. */
  readonly context: object
}

/** The route table: every endpoint of every area, in the areas' order. */
export function routesOf(
  areas: readonly { readonly area: Area<any, any>; readonly context: object }[],
): readonly Route[] {
  return areas.flatMap(({ area, context }) =>
    area.endpoints.map((endpoint) => ({
      area,
      endpoint,
      guard: endpoint.guard ?? area.guard,
      path: fullPath(area, endpoint),
      context,
    })),
  )
}

/** `<area>_<verb>` unless the declaration names the description's word (decision 4.7). */
export function actionOf({ area, endpoint }: Route): string {
  if (endpoint.action) return endpoint.action
  const segments = endpoint.path
    .split('/')
    .filter((part) => part && !part.startsWith('{'))
    .map((part) => part.replaceAll(/[^a-z0-9]+/g, '_'))
  const verb = {
    POST: segments.length > 0 ? '' : 'create',
    PUT: 'update',
    PATCH: 'update',
    DELETE: 'delete',
    GET: 'read',
  }[endpoint.method]
  return [area.name.replaceAll('-', '_'), ...segments, verb].filter(Boolean).join('_')
}

function fullPath(area: Area<any, any>, endpoint: Endpoint): string {
  const path = `/api${endpoint.base ?? area.base}${endpoint.path}`
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}
