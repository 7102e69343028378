import type { ErrorStyle } from '../../src/core/endpoint.ts'
import { kindsOf } from '../../src/core/endpoint.ts'
import { errorStyleOf } from '../../src/surfaces/error-style.ts'
import type { Route } from '../../src/surfaces/routes.ts'
import type { Row, StatedError } from './contract.ts'

/** A failure that a route can return. */
interface Returned {
  readonly status: number
  readonly code: string
  readonly style: ErrorStyle
  /** Returned by any route: not counted as a failure of a row without a code. */
  readonly isBug?: true
}

const styles: Readonly<Record<string, ErrorStyle>> = {
  enveloped: 'coded',
  message_only: 'message-only',
  flat: 'flat',
}

/** A route can return each failure of its row, with its status and code, in its style. */
export function failureDeviations(row: Row, route: Route): readonly string[] {
  const style = styles[row.error_shape ?? ''] ?? 'coded'
  const returned = returnedBy(route)
  const wrongStyle =
    styleOf(route) === style ? [] : [`returns errors in the style ${styleOf(route)}, the contract ${style}`]
  return [
    ...wrongStyle,
    ...(row.errors ?? []).filter((stated) => !canReturn(stated, style, returned, route)).map(textOf),
  ]
}

function canReturn(
  { status, code, shape }: StatedError,
  style: ErrorStyle,
  returned: readonly Returned[],
  { endpoint }: Route,
): boolean {
  if (shape === 'jsonrpc' || shape === 'plain text') return endpoint.reply.kind === 'rpc'
  if (status === 'pass-through') return passesStatus(endpoint, code ?? '')
  const wanted = shape === undefined ? style : styles[shape]
  return returned.some(
    (each) =>
      each.status === status &&
      each.style === wanted &&
      (code === null ? each.isBug === undefined : each.code === code),
  )
}

const textOf = ({ status, code, shape }: StatedError): string =>
  `cannot return ${status} ${code ?? 'without a code'}${shape ? ` (${shape})` : ''}`

const styleOf = ({ area, endpoint }: Route): ErrorStyle => endpoint.errors ?? area.errors

function passesStatus({ throws = {} }: Route['endpoint'], code: string): boolean {
  const failure = throws[code]
  return failure !== undefined && kindsOf(failure).kinds.some((kind) => kind.passesStatus === true)
}

/** The failures of a route: those it declares, those of binding and of the guard, and that of a bug. */
function returnedBy(route: Route): readonly Returned[] {
  const { endpoint, guard } = route
  const style = styleOf(route)
  const { code = 'bad_request', status = 400 } = endpoint.invalid ?? {}
  const ofGuard = (status: number, code: string) => ({ status, code, style: errorStyleOf(route, code) })
  const binds = endpoint.params ?? endpoint.query ?? endpoint.reply.list
  return [
    { status: 500, code: 'server_error', style, isBug: true },
    ...(binds ? [{ status: 400, code: 'bad_request', style }] : []),
    ...(endpoint.body ? [{ status, code, style }] : []),
    ...(endpoint.target ? [{ status: 404, code: 'not_found', style }] : []),
    ...(guard.kind === 'open' ? [] : [ofGuard(401, 'unauthorized')]),
    ...(guard.kind === 'open' || guard.kind === 'signed-in' ? [] : [ofGuard(403, 'forbidden')]),
    ...Object.entries(endpoint.throws ?? {}).flatMap(([code, failure]) => {
      const { kinds, status, style: own = errorStyleOf(route, code) } = kindsOf(failure)
      return kinds.map((kind) => ({ status: status ?? kind.status, code, style: own }))
    }),
  ]
}
