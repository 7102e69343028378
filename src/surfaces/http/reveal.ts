import type { FastifyRequest } from 'fastify'
import { Forbidden } from '../../core/problem.ts'
import { asksToReveal, canReveal } from '../../core/secret.ts'
import type { Route } from '../routes.ts'
import { changing, entryOf } from './change.ts'
import type { Gates } from './mount.ts'
import type { Scope } from './scope.ts'

/** Decides and records the return of secrets in full by a reading route. */
export interface Revealing {
  /** True if this request asks for them; throws Forbidden if the caller must not see them. */
  isAsked(scope: Scope): boolean
  /** Records the access in the activity log. Secrets are only returned once this is recorded. */
  record(gates: Gates, scope: Scope, request: FastifyRequest): Promise<void>
}

/** Prepares a route whose query declares `reveal`; undefined for all others. */
export function revealing(route: Route): Revealing | undefined {
  if (!canReveal(route.endpoint.query)) return undefined
  const changes = changing(route)
  return {
    isAsked: ({ query, callerIfAny }) => {
      if (!asksToReveal(query)) return false
      if (callerIfAny?.mcpKeyId !== undefined) throw Forbidden('reveal: agents are shown no secrets')
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
