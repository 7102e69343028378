import type { FastifyRequest } from 'fastify'
import type { Caller, Visitor } from '../../core/caller.ts'
import { admits, refusal } from '../../core/guard.ts'
import { Forbidden } from '../../core/problem.ts'
import type { Route } from '../routes.ts'

/** How requests of other panels find the user in whose name they come. */
export interface PeerGates {
  /** The active user with an e-mail address, as a caller. */
  readonly callerNamed?: (email: string, visitor: Visitor) => Promise<Caller | undefined>
}

/**
 * True for a request that repeats a change of another panel. The header counts from a superuser's key without
 * limits alone (decision 2.7): anybody else could keep own changes from being repeated.
 */
export function isOfPeer({ headers }: FastifyRequest, caller: Caller | undefined): boolean {
  const source = headers['x-replication-source']
  if (typeof source !== 'string' || !/^peer:[\w.-]{1,64}$/.test(source)) return false
  return caller !== undefined && caller.keyId !== null && caller.user.isAdmin && caller.isLimited !== true
}

/** Returns the user in whose name another panel repeats a change: the one that it names, or else the owner of the key. */
export async function callerForPeer(
  { guard }: Route,
  request: FastifyRequest,
  owner: Caller,
  { callerNamed }: PeerGates,
): Promise<Caller> {
  const email = request.headers['x-replication-user']
  if (email === undefined) return owner
  const { ip, userAgent, requestId } = owner
  const caller = await callerNamed?.(String(email), { ip, userAgent, requestId })
  if (caller === undefined)
    throw Forbidden(
      `X-Replication-User: there is no active user ${email} here: create one, or mirror users too`,
    )
  if (!admits(guard, caller)) throw Forbidden(refusal(guard))
  return { ...caller, isMirrored: true }
}
