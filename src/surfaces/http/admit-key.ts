import type { FastifyRequest } from 'fastify'
import type { Caller, Visitor } from '../../core/caller.ts'
import type { KeyGuard } from '../../core/guard.ts'
import { Forbidden, Unauthorized } from '../../core/problem.ts'
import { isDirectLoopback } from './own-site.ts'

/** The input of a key check. */
interface Checking {
  readonly request: FastifyRequest
  readonly visitor: Visitor
  /** The context of the area that checks the keys. */
  readonly context: object
  /** Admits a superuser by an ordinary credential, or throws. */
  readonly asSuperuser: () => Promise<Caller | undefined>
  readonly countFailure: () => void
}

/** Admits a request by a key: the caller that the key belongs to, if any, or throws. */
export async function admitByKey(guard: KeyGuard, checking: Checking): Promise<Caller | undefined> {
  const { request, visitor, context, asSuperuser, countFailure } = checking
  const key = keyIn(guard, request)
  if (key === '' && guard.orSuperuser && request.headers.authorization !== undefined) return asSuperuser()
  const verdict = await guard.check(context, { key, isFromQuery: !hasHeader(guard, request), visitor })
  if (verdict === 'unset') return admitUnset(guard, checking)
  // an absent key is never valid, whatever the check returns for an empty string
  if (verdict !== 'wrong' && key !== '') return verdict === 'valid' ? undefined : verdict
  if (key !== '') countFailure()
  throw Unauthorized()
}

/** Returns a query parameter; empty if it is absent. */
export function queryText({ query }: FastifyRequest, name: string): string {
  const value: unknown = Reflect.get(Object(query), name)
  return typeof value === 'string' ? value.slice(0, 8192) : ''
}

const hasHeader = ({ header }: KeyGuard, { headers }: FastifyRequest): boolean =>
  typeof headers[header.toLowerCase()] === 'string'

function keyIn({ header, orQuery }: KeyGuard, request: FastifyRequest): string {
  const sent = request.headers[header.toLowerCase()]
  if (typeof sent === 'string') return sent.slice(0, 8192).replace(/^Bearer +/i, '')
  return orQuery === undefined ? '' : queryText(request, orQuery)
}

async function admitUnset(
  { whenUnset }: KeyGuard,
  { request, asSuperuser }: Checking,
): Promise<Caller | undefined> {
  if (whenUnset === undefined) throw Unauthorized()
  if (!isDirectLoopback(request)) throw Forbidden('Until a key is configured, only this host itself may call')
  return whenUnset === 'loopback-superuser' ? asSuperuser() : undefined
}
