import { listParameters } from '../../src/core/reply.ts'
import { universalProblems } from '../../src/core/problem.ts'
import { describeGuard } from '../../src/core/guard.ts'
import { categories, decidesChange, kindsOf } from '../../src/core/endpoint.ts'
import { type Gates, handlerOf } from '../../src/surfaces/http/mount.ts'
import type { InputParts } from '../../src/surfaces/http/input.ts'
import { operationId, type Route } from '../../src/surfaces/routes.ts'
import {
  countedElsewhere,
  type Exceptions,
  notOfAccess,
  openEndpoints,
  otherStatus,
  plainFields,
  plainPlaces,
  withoutTarget,
} from './exceptions.ts'
import { inputsOf, type Place, repliesOf } from './schema-walk.ts'

/** A rule about the route table; it returns the violations. */
export type Policy = (routes: readonly Route[]) => readonly string[]

const lineOf = ({ endpoint, path }: Route): string => `${endpoint.method} ${path}`
const perRoute =
  (find: (route: Route) => readonly string[]): Policy =>
  (routes) =>
    routes.flatMap((route) => find(route).map((findings) => `${lineOf(route)}: ${findings}`))
const perInput = (isWrong: (place: Place) => boolean, findings: string): Policy =>
  perRoute((route) =>
    inputsOf(route)
      .filter(isWrong)
      .map(({ at }) => `${at} ${findings}`),
  )
const repeated = (values: readonly string[]): readonly string[] => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index)),
]
const isFixed = ({ schema }: Place): boolean => schema.enum !== undefined || schema.const !== undefined

/** Excuses routes by line; a line that is no longer needed is itself a violation. */
function excusing(excused: Exceptions, find: (route: Route) => readonly string[]): Policy {
  return (routes) => {
    const found = routes
      .map((route) => ({ line: lineOf(route), findings: find(route) }))
      .filter(({ findings }) => findings.length > 0)
    const wrong = found
      .filter(({ line }) => !(line in excused))
      .flatMap(({ line, findings }) => findings.map((finding) => `${line}: ${finding}`))
    const needless = Object.keys(excused).filter(
      (line) => routes.some((route) => lineOf(route) === line) && !found.some((each) => each.line === line),
    )
    return [...wrong, ...needless.map((line) => `${line}: needs its exception no more`)]
  }
}

/** An area without a guard does not compile; an open one states what guards it instead. */
export const hasGuard = perRoute(({ guard }) => {
  if (!['superuser', 'permission', 'signed-in', 'open', 'key', 'socket-token'].includes(guard?.kind))
    return ['has no guard']
  if (guard.kind === 'key' && !/^[A-Za-z][A-Za-z-]+$/.test(guard.header))
    return [`takes its key from the header "${guard.header}"`]
  return guard.kind === 'open' && guard.reason.length < 10 ? ['is open without a reason'] : []
})

const rights = new Set([
  'is_admin',
  'permissions',
  'sudo',
  'password',
  'new_password',
  'sftp_password',
  'public_key',
])

/** What takes a credential or a right declares that it changes the access of somebody, which the router protects. */
export const declaresChangesOfAccess = excusing(notOfAccess, (route) => {
  if (!decidesChange(route.endpoint.effect) || route.endpoint.changesAccess) return []
  const taken = inputsOf(route).find(({ field }) => rights.has(field))
  return taken === undefined ? [] : [`takes ${taken.at}, and does not declare changesAccess`]
})

/** No endpoint is open to callers without a credential by accident. */
export const opensOnlyNamed = excusing(openEndpoints, ({ guard }) =>
  guard.kind === 'open' ? ['is open and not among the named ones'] : [],
)

/**
 * A GET changes nothing, and an endpoint that only reads is a GET; a probe may be either. What JSON-RPC changes is
 * changed by requests of the panel to itself.
 */
export const getsOnlyRead = perRoute(({ endpoint: { method, effect, reply } }) =>
  effect === 'probes' || (method === 'GET') === (effect === 'reads') || reply.kind === 'rpc'
    ? []
    : [`${method} with the effect ${effect}`],
)

/** Deletions are declared as such: reviewers, plans and read-only keys rely on the effect. */
export const destroysWhatItNames = perRoute(({ endpoint: { method, effect, path } }) => {
  const names = method === 'DELETE' || /\/(?:delete|remove|destroy|empty|clear|purge|uninstall)$/.test(path)
  return names && effect !== 'destroys' ? [`${method} ${path} with the effect ${effect}`] : []
})

/** Attempts without a credential are limited. */
export const limitsOpenAttempts = excusing(countedElsewhere, ({ guard, endpoint }) =>
  guard.kind === 'open' && endpoint.effect !== 'reads' && endpoint.rateLimit === undefined
    ? ['is open and has no rateLimit']
    : [],
)

/** Decision 1.13: 50 rows a page, at most 500. */
export const pagesAlike = perRoute(({ endpoint: { reply } }) => {
  if (reply.list === undefined) return []
  const { default: usual, maximum } = listParameters(reply.list)['per_page'] as Paging
  return usual === 50 && maximum === 500 ? [] : [`has ${usual} rows a page, at most ${maximum}`]
})

interface Paging {
  readonly default?: number
  readonly maximum?: number
}

/** A changing endpoint names its replication category or the reason for none; others name neither. */
export const namesCategory = perRoute(({ endpoint: { effect, category } }) => {
  if (!decidesChange(effect)) return category === undefined ? [] : ['changes nothing and has a category']
  if (category === undefined) return ['has neither a category nor local(reason)']
  if (typeof category === 'string') return categories.includes(category) ? [] : [`category ${category}`]
  return category.reason.length < 10 ? ['is local without a reason'] : []
})

/** A connection that is upgraded or carries JSON-RPC has one method; a socket token is consumed by an upgrade. */
export const fitsItsReply = perRoute(({ endpoint: { method, effect, reply, body, invalid }, guard }) => [
  ...(reply.kind === 'socket' && (method !== 'GET' || decidesChange(effect))
    ? [`opens a socket by ${method} with the effect ${effect}`]
    : []),
  ...(reply.kind === 'rpc' && method !== 'POST' ? [`carries JSON-RPC by ${method}`] : []),
  ...(guard.kind === 'socket-token' && reply.kind !== 'socket' ? ['takes a socket token for no socket'] : []),
  ...(invalid && body === undefined ? ['names a failure of a body that it does not take'] : []),
])

/** An endpoint is below a base that its area names. */
export const isBelowItsBase = perRoute(({ endpoint: { base }, area }) =>
  base === undefined || area.bases?.includes(base) ? [] : [`is below ${base}, which its area does not name`],
)

/** The reference, the menu of MCP tools and the client show it. */
export const hasSummary = perRoute(({ endpoint: { summary } }) =>
  /^[A-Z].{4,118}[^.]$/.test(summary)
    ? []
    : [`summary "${summary}" is not one phrase of 6 to 120 characters`],
)

/** No caller can fill the memory with one field. */
export const boundsStrings = perInput(
  (place) =>
    place.schema.type === 'string' &&
    !isFixed(place) &&
    place.schema.maxLength === undefined &&
    !isBoundedPattern(place.schema.pattern),
  'is a string without a maximum',
)
export const boundsLists = perInput(
  ({ schema }) => schema.type === 'array' && schema.maxItems === undefined,
  'is a list without a maximum',
)
export const boundsNumbers = perInput(
  (place) =>
    ['integer', 'number'].includes(place.schema.type ?? '') &&
    !isFixed(place) &&
    (place.schema.minimum === undefined || place.schema.maximum === undefined),
  'is a number without a range',
)

function isBoundedPattern(pattern: string | undefined): boolean {
  return pattern !== undefined && /^\^.*\$$/.test(pattern) && !/[*+]|\{\d+,\}/.test(pattern)
}

const secretName = /(?:^|_)(?:password|passphrase|secret|key|token)s?$/

/** A field named like a secret is marked as one, so that it is masked, sealed and redacted everywhere. */
export const marksSecrets = perRoute((route) =>
  [...inputsOf(route), ...repliesOf(route)]
    .filter(
      ({ at, field, schema }) =>
        secretName.test(field) &&
        schema.type === 'string' &&
        schema['x-secret'] !== true &&
        !(field in plainFields) &&
        !(`${route.endpoint.method} ${route.path}: ${at}` in plainPlaces),
    )
    .map(({ at }) => `${at} is named like a secret and is not marked as one`),
)

/** Masking and redaction walk objects, lists and unions; a secret anywhere else would be shown. */
export const keepsSecretsInReach = perRoute((route) =>
  [...inputsOf(route), ...repliesOf(route)]
    .filter(({ schema, isReached }) => schema['x-secret'] === true && !isReached)
    .map(({ at }) => `${at} is a secret where masking does not look`),
)

/**
 * Rows and users named in the input are loaded in the caller's scope, so that tenants cannot reach each
 * other's.
 */
export const loadsThroughTarget = excusing(withoutTarget, (route) => {
  if (route.guard.kind === 'superuser' || route.endpoint.target) return []
  const named = inputsOf(route).filter(
    ({ field, schema }) => /^(?:id|uid|kid|username|.*_id)$/.test(field) || schema['x-ref'] !== undefined,
  )
  return named.length === 0
    ? []
    : [`takes ${named.map(({ at }) => at).join(', ')} under ${describeGuard(route.guard)} without a target`]
})

/** A path names each of its parameters, and a declaration declares no other. */
export const declaresPathParameters = perRoute(({ endpoint, path }) => {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const declared = Object.keys((endpoint.params as { properties?: object } | undefined)?.properties ?? {})
  return inPath.toSorted().join() === declared.toSorted().join()
    ? []
    : [`the path has {${inPath.join()}}, its schema {${declared.join()}}`]
})

/** Two endpoints never share a method and path, whatever their parameters are called. */
export const hasOwnPath: Policy = (routes) =>
  repeated(routes.map((route) => lineOf(route).replaceAll(/\{\w+\}/g, '{}'))).map(
    (line) => `${line} is declared twice`,
  )

/** The exported name is the operation id, the call of the client and the action, so that it is a verb with its object. */
export const hasName = perRoute(({ endpoint, name }) => [
  ...(typeof endpoint?.run === 'function' ? [] : [`the export ${name} is not an endpoint`]),
  ...(/^[a-z]+(?:[A-Z][a-z0-9]*)*$/.test(name) ? [] : [`the name ${name} is not in camel case`]),
])

/** Operation ids are unique if no two areas have the same name. */
export const hasOwnOperationId: Policy = (routes) =>
  repeated(routes.map(operationId)).map((id) => `two endpoints have the operation id ${id}`)

/** An action is named by the declaration where the contract names it, and nowhere else. */
export const namesContractActionsOnly = perRoute(({ endpoint: { action } }) =>
  action === undefined || contractActions.has(action)
    ? []
    : [`the action ${action} is not one of the contract's`],
)

const contractActions = new Set(['user_deleted', 'mcp_key_created', 'docker_app_launch'])

/** Codes are read by programs: they have one spelling and a failure status. */
export const wordsFailures = perRoute(({ endpoint }) =>
  Object.entries(endpoint.throws ?? {}).flatMap(([code, failures]) => {
    const { kinds, status } = kindsOf(failures)
    const statuses = kinds.map((kind) => status ?? kind.status)
    return [
      ...(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(code) ? [] : [`the code ${code} is not snake_case`]),
      ...statuses
        .filter((each) => each !== 200 && (each < 400 || each > 599))
        .map((each) => `${code} answers ${each}`),
      ...(kinds.length === 0 ? [`${code} names no kind of failure`] : []),
    ]
  }),
)

/** A code that any endpoint may return has one status everywhere. */
export const keepsStatusOfCodes = excusing(otherStatus, ({ endpoint }) =>
  Object.entries(endpoint.throws ?? {}).flatMap(([code, failure]) => {
    const usual = universalProblems.find((kind) => kind.code === code)?.status
    const { kinds, status } = kindsOf(failure)
    return kinds
      .map((kind) => status ?? kind.status)
      .filter((each) => usual !== undefined && each !== usual)
      .map((each) => `${code} answers ${each}, not ${usual}`)
  }),
)

/** A kind under two codes would always be answered with the first. */
export const codesFailuresOnce = perRoute(({ endpoint: { throws = {} } }) =>
  repeatedKinds(Object.values(throws).flatMap((failure) => [...new Set(kindsOf(failure).kinds)])).map(
    ({ text }) => `"${text}" has two codes`,
  ),
)

const repeatedKinds = <Kind>(kinds: readonly Kind[]): readonly Kind[] =>
  kinds.filter((kind, index) => kinds.indexOf(kind) !== index)

/** A request ends before the server cuts its connection, and a body fits in memory. */
export const hasLimits = perRoute(({ endpoint: { timeoutMs = 1, bodyBytes = 1 } }) => [
  ...(timeoutMs < 1 || timeoutMs > 21_600_000
    ? [`timeoutMs ${timeoutMs} is not within the six hours after which the server cuts a connection`]
    : []),
  ...(bodyBytes < 1 || bodyBytes > 64 * 1024 * 1024 ? [`bodyBytes ${bodyBytes} is not within 64 MiB`] : []),
])

const basesOf = ({ base, bases = [] }: Route['area']): readonly string[] => [base, ...bases]

/** The menu, the reference and the URL of an area are its own. */
export const namesAreas: Policy = (routes) => {
  const areas = [...new Set(routes.map(({ area }) => area))]
  return [
    ...areas.filter(({ title }) => !/^[A-Z]/.test(title)).map(({ name }) => `area ${name} has no title`),
    ...areas
      .flatMap((area) => basesOf(area).map((base) => [area.name, base] as const))
      .filter(([, base]) => !/^(?:\/[a-z0-9-]+)*$/.test(base))
      .map(([name, base]) => `area ${name} has the base path ${base}`),
    ...repeated(areas.map(({ name }) => name)).map((name) => `two areas are named ${name}`),
    // further bases may be those of another area: an endpoint belongs to the area that owns what it changes
    ...[...repeated(areas.map(({ base }) => base)), ...areas.flatMap((area) => repeated(basesOf(area)))].map(
      (base) => `two areas have the base path ${base}`,
    ),
  ]
}

/** A panel makes the handler of a route for its first request. */
export const canBeHandled = perRoute((route) => {
  try {
    handlerOf(route, {} as Gates, {} as InputParts)
    return []
  } catch (error) {
    return [`its handler cannot be made: ${error}`]
  }
})

/** The kind of a stored job is stable, names its area, and has a time limit. */
export const namesJobs: Policy = (routes) => {
  const kinds = [...new Set(routes.map(({ area }) => area))].flatMap((area) =>
    (area.jobs ?? []).map((job) => ({ area, job })),
  )
  return [
    ...kinds
      .filter(({ area, job }) => !job.kind.startsWith(`${area.name}.`))
      .map(({ area, job }) => `job ${job.kind} of area ${area.name} does not begin with its name`),
    ...kinds
      .filter(({ job }) => !(job.timeoutMs > 0 && job.timeoutMs <= 86_400_000 && job.attempts >= 1))
      .map(({ job }) => `job ${job.kind} has no time limit within a day, or no attempt`),
    ...repeated(kinds.map(({ job }) => job.kind)).map((kind) => `two jobs are of the kind ${kind}`),
  ]
}
