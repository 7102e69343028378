import type { FastifyRequest } from 'fastify'
import { Problem } from '../../core/problem.ts'
import type { Route } from '../routes.ts'
import { changing, entryOf } from './change.ts'
import type { Gates } from './mount.ts'
import type { Scope } from './scope.ts'

/**
 * Runs a probe and records its outcome in the activity log: it ran something on the host, though it changed
 * nothing.
 */
export type Probing = <Value>(
  run: () => Value | Promise<Value>,
  scope: Scope,
  request: FastifyRequest,
) => Promise<Value>

/** Prepares a route that probes; undefined for all others. */
export function probing(route: Route, gates: Gates): Probing | undefined {
  if (route.endpoint.effect !== 'probes') return undefined
  const changes = changing(route)
  return async (run, scope, request) => {
    const { visitor, callerIfAny: caller } = scope
    const record = (status: 'ok' | 'failed', message: string) =>
      gates.recordEntry({
        ...entryOf({ route, changes, scope, request }),
        visitor,
        caller,
        status,
        message: message.slice(0, 500),
      })
    let value
    try {
      value = await run()
    } catch (error) {
      await record('failed', error instanceof Problem ? error.message : 'Something went wrong on the server')
      throw error
    }
    await record('ok', route.endpoint.summary)
    return value
  }
}
