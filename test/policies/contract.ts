import { readFileSync } from 'node:fs'
import { describeGuard } from '../../src/core/guard.ts'
import type { Route } from '../../src/surfaces/routes.ts'
import { failureDeviations } from './contract-failures.ts'
import { replyDeviations } from './contract-replies.ts'
import { requestDeviations } from './contract-requests.ts'

/** A row of the contract; if it is only listed, only its guard is known. */
export interface Row {
  readonly method: string
  readonly path: string
  readonly guard: string
  readonly shown: string
  /** The fields that are accepted, by place: path, query, body, multipart, headers. */
  readonly request?: Readonly<Record<string, Readonly<Record<string, StatedField>>>>
  readonly success?: { readonly status: number; readonly shape: string; readonly fields?: StatedReply }
  readonly errors?: readonly StatedError[]
  readonly error_shape?: string
}

/** A field of a request; absent properties are not stated by the contract. */
export interface StatedField {
  readonly type?: string
  readonly required?: boolean
  readonly default?: string | number | boolean
}

/** A type, a quoted value, an object, a list of one item, or `[]` for a list at the top. Empty: not stated. */
export type StatedReply = string | readonly StatedReply[] | { readonly [name: string]: StatedReply }

/** A failure of a row: the status is a number, or `pass-through`. */
export interface StatedError {
  readonly status: number | string
  readonly code: string | null
  readonly shape?: string
}

/** The contract's rows. */
export const contract = JSON.parse(
  readFileSync(new URL('./contract.json', import.meta.url), 'utf8'),
) as readonly Row[]

/** Method and path without the names of parameters: the same for a row and its route. */
export const keyOf = (method: string, path: string): string =>
  `${method === 'ANY' ? 'POST' : method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, '{}').replace(/\/$/, '')}`

/** Every deviation of the routes from the rows that they declare, as `METHOD /path: deviation`. */
export function deviations(rows: readonly Row[], routes: readonly Route[]): readonly string[] {
  const declared = new Map(routes.map((route) => [keyOf(route.endpoint.method, route.path), route]))
  return rows.flatMap((row) => {
    const route = declared.get(keyOf(row.method, row.path))
    if (route === undefined) return []
    return deviationsOf(row, route).map((text) => `${row.method} ${row.path}: ${text}`)
  })
}

function deviationsOf(row: Row, route: Route): readonly string[] {
  const guard = guardOf(route)
  const guards =
    guard === statedGuard(row) ? [] : [`has the guard ${guard}, the contract ${statedGuard(row)}`]
  if (row.shown === 'listed') return guards
  return [
    ...guards,
    ...requestDeviations(row, route),
    ...replyDeviations(row, route),
    ...failureDeviations(row, route),
  ]
}

/** In the contract, keys and socket tokens are not guards of the router. */
function guardOf({ guard, area }: Route): string {
  const isRouters = guard.kind === 'superuser' || guard.kind === 'permission' || guard.kind === 'signed-in'
  return [
    isRouters ? describeGuard(guard) : 'NONE',
    ...(area.feature ? [`FEATURE(${area.feature})`] : []),
    ...(area.plugin ? [`PLUGIN(${area.plugin})`] : []),
  ].join('+')
}

function statedGuard({ guard }: Row): string {
  if (guard.startsWith('AUTH+SU')) return guard.slice('AUTH+'.length)
  return guard.startsWith('PLUGIN') ? `NONE+${guard}` : guard
}
