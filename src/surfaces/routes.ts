import type { Area } from '../core/area.ts'
import type { Endpoint } from '../core/endpoint.ts'
import type { Guard } from '../core/guard.ts'

/** An endpoint with its name, its area and the context of its runs. */
export interface Route {
  readonly area: Area<any, any>
  readonly endpoint: Endpoint
  /** The name of its export. */
  readonly name: string
  readonly guard: Guard
  /** Full path with parameters as `{id}`. */
  readonly path: string
  /** The bound context of the area; empty if routes are only described. */
  readonly context: object
}

/** The route table: the endpoints of every area in the areas' order, and within an area by path. */
export function routesOf(
  areas: readonly { readonly area: Area<any, any>; readonly context: object }[],
): readonly Route[] {
  return areas.flatMap(({ area, context }) =>
    Object.entries(area.endpoints)
      .map(([name, endpoint]) => ({
        area,
        endpoint,
        name,
        guard: endpoint.guard ?? area.guard,
        path: fullPath(area, endpoint),
        context,
      }))
      .toSorted(byPath),
  )
}

/** Identifies an operation in the OpenAPI document and in the typed client: `lbproxy.createBackend`. */
export const operationId = ({ area, name }: Route): string => `${area.name}.${name}`

/** `lbproxy_create_backend`, unless the contract gives the action a name (decision 4.7). */
export function actionOf({ area, name, endpoint }: Route): string {
  const verb = name.replaceAll(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`)
  return endpoint.action ?? `${area.name.replaceAll('-', '_')}_${verb}`
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function byPath(one: Route, other: Route): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1
  return methods.indexOf(one.endpoint.method) - methods.indexOf(other.endpoint.method)
}

function fullPath(area: Area<any, any>, endpoint: Endpoint): string {
  const path = `/api${endpoint.base ?? area.base}${endpoint.path}`
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}
