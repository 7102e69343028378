import { type ErrorStyle, kindsOf } from '../../core/endpoint.ts'
import {
  BadRequest,
  Busy,
  type ProblemKind,
  RateLimited,
  RequestTimeout,
  Unauthorized,
} from '../../core/problem.ts'
import { HeadersTooLarge } from '../http/malformed.ts'
import { errorStyleOf } from '../error-style.ts'
import type { Route } from '../routes.ts'
import { generalFailures } from './general-failures.ts'
import type { SchemaPublisher } from './schemas.ts'

/** A failure as a route answers it. */
interface Failing {
  readonly status: number
  readonly code: string
  readonly style: ErrorStyle
  readonly kind: Pick<ProblemKind, 'text' | 'fields' | 'passesStatus'>
  readonly isGeneral: boolean
}

/** The response to a failure, and the name of its component if other routes answer it alike. */
export interface FailureResponse {
  readonly description: string
  readonly schema: object
  readonly headers: readonly string[]
  readonly component: string | undefined
}

/** Returns the responses to all failures of a route, by status or by range of statuses. */
export function failuresOf(
  route: Route,
  publish: SchemaPublisher['publish'],
): ReadonlyMap<string, FailureResponse> {
  const groups = Map.groupBy(failingsOf(route), ({ status }) => String(status))
  const passed = [...groups.values()].flat().filter(({ kind }) => kind.passesStatus)
  if (passed.length > 0) {
    // a status of its own takes the place of its range
    for (const [status, own] of groups) groups.set(status, [...new Set([...own, ...passed])])
    for (const range of ['4XX', '5XX']) groups.set(range, passed)
  }
  return new Map([...groups].map(([status, failings]) => [status, responseTo(failings, publish)]))
}

/** The declared failures come first: they say the most. */
function failingsOf(route: Route): readonly Failing[] {
  const { endpoint, area } = route
  const usual = endpoint.errors ?? area.errors
  const declared = Object.entries(endpoint.throws ?? {}).flatMap(([code, failure]) => {
    const { kinds, status, style = errorStyleOf(route, code) } = kindsOf(failure)
    return kinds.map((kind) => ({ status: status ?? kind.status, code, style, kind, isGeneral: false }))
  })
  const taken = new Set(Object.values(endpoint.throws ?? {}).flatMap((failure) => kindsOf(failure).kinds))
  const general = generalFailures(route)
    .filter((kind) => !taken.has(kind))
    .flatMap((kind) =>
      stylesOf(kind, errorStyleOf(route, kind.code)).map((style) => {
        const { status, code } = kind
        return { status, code, style, kind, isGeneral: true }
      }),
    )
  const { invalid } = endpoint
  return [
    ...declared,
    ...(invalid ? [{ ...invalid, style: usual, kind: BadRequest, isGeneral: false }] : []),
    ...general,
  ]
}

/** Some answer with a code before the area is known. */
function stylesOf(kind: ProblemKind, usual: ErrorStyle): readonly ErrorStyle[] {
  if (usual === 'coded' || kind === HeadersTooLarge) return ['coded']
  return beforeTheRoute.has(kind) ? [usual, 'coded'] : [usual]
}

const beforeTheRoute: ReadonlySet<ProblemKind> = new Set([BadRequest, RequestTimeout, Busy])

function responseTo(failings: readonly Failing[], publish: SchemaPublisher['publish']): FailureResponse {
  const schemas = [...Map.groupBy(failings, ({ style }) => style)].map(([style, group]) =>
    errorSchema(style, group, publish),
  )
  return {
    description: [...new Set(failings.map(({ code, kind }) => `${code}: ${kind.text}`))].join('; '),
    schema: schemas.length === 1 ? (schemas[0] as object) : { anyOf: schemas },
    headers: headersOf(failings),
    component: failings.every(({ isGeneral }) => isGeneral) ? nameOf(failings) : undefined,
  }
}

function headersOf(failings: readonly Failing[]): readonly string[] {
  const codes = new Set(failings.map(({ code }) => code))
  return [
    ...(codes.has(Unauthorized.code) ? ['WWW-Authenticate'] : []),
    ...(codes.has(RateLimited.code) || codes.has(Busy.code) ? ['Retry-After'] : []),
  ]
}

function errorSchema(
  style: ErrorStyle,
  failings: readonly Failing[],
  publish: SchemaPublisher['publish'],
): object {
  if (style === 'flat') return { $ref: '#/components/schemas/FlatError' }
  const further = Object.assign({}, ...failings.map(({ kind }) => kind.fields?.properties))
  const { properties: fields } = publish({ properties: further }, 'shown') as { readonly properties: object }
  const codes = [...new Set(failings.map(({ code }) => code))]
  const properties = { ...(style === 'coded' && { code: { enum: codes } }), ...fields }
  const base = { $ref: `#/components/schemas/${style === 'coded' ? 'Error' : 'MessageError'}` }
  if (Object.keys(properties).length === 0) return base
  return { allOf: [base, { type: 'object', properties: { error: { type: 'object', properties } } }] }
}

/** Names the component of failures that several routes share: `ForbiddenPluginDisabled`. */
function nameOf(failings: readonly Failing[]): string {
  const codes = [...new Set(failings.map(({ code }) => code))]
  const styles = [...new Set(failings.map(({ style }) => style))]
  const isOfHeaders = failings.some(({ kind }) => kind === HeadersTooLarge)
  const own = codes.length > 3 ? codes.slice(0, 1) : codes
  const parts = [...(isOfHeaders ? ['headers_too_large'] : own), ...(styles[0] === 'coded' ? [] : styles)]
  return parts
    .join('_')
    .replaceAll('-', '_')
    .replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
