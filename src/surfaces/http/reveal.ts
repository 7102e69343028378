import type { FastifyRequest } from 'fastify'
import { Forbidden } from '../../core/problem.ts'
import { asksToReveal, canReveal } from '../../core/secret.ts'
import type { Route } from '../routes.ts'
import { changing, entryOf } from './change.ts'
import type { Gates } from './mount.ts'
import type { Scope } from './scope.ts'

/** How a reading route shows secrets in full. */
export interface Revealing {
  /** Whether this request asks for that; throws Forbidden where the caller may not. */
  isAsked(scope: Scope): boolean
  /** Writes it into the activity. What cannot be recorded is not shown. */
  record(gates: Gates, scope: Scope, request: FastifyRequest): Promise<void>
}

/** Prepares a route whose query declares `reveal`; undefined for all others. */
export function revealing(route: Route): Revealing | undefined {
  if (!canReveal(route.endpoint.query)) return undefined
  const changes = changing(route)
  return {
    isAsked: ({ query, callerIfAny }) => {
      if (!asksToReveal(query)) return false
      if (callerIfAny?.user.isAdmin !== true)
        throw Forbidden('reveal: only a superuser may see secrets in full')
      return true
    },
    record: (gates, scope, request) => {
      const entry = entryOf({ route, changes, scope, request })
      const message = `Reveal secrets: ${route.endpoint.summary}`.slice(0, 500)
      return gates.recordEntry({
        ...entry,
        visitor: scope.visitor,
        caller: scope.callerIfAny,
        status: 'ok',
        message,
      })
    },
  }
}
