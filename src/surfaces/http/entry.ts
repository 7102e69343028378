import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Caller } from '../../core/caller.ts'
import type { Route } from '../routes.ts'
import { admit, type Admission } from './authenticate.ts'
import { refuseForeignPage } from './foreign-page.ts'
import { refuseForeignSite } from './own-site.ts'
import { callerForPeer, isOfPeer, type PeerGates } from './peer-caller.ts'
import { assertUpgrade } from './sockets.ts'
import { visitorOf } from './visitor.ts'

/** The parts of the panel that admit requests. */
export interface EntryGates extends Admission, PeerGates {
  /** Settles when the panel has started, so that no request is refused while it is incomplete. */
  readonly starting?: () => Promise<void> | undefined
}

/** Returns the hook that admits each request. It waits only if it must. */
export function entry(
  route: Route,
  gates: EntryGates,
  prepare: (request: FastifyRequest) => void,
): onRequestHookHandler {
  const { kind } = route.endpoint.reply
  const isOneSite = kind === 'socket' || kind === 'rpc'
  const accept = (request: FastifyRequest, caller: Caller | undefined): void | Promise<void> => {
    request.caller = caller
    if (caller && isOfPeer(request, caller)) {
      request.isFromPeer = true
      return callerForPeer(route, request, caller, gates).then((user) => void (request.caller = user))
    }
    // the panel calls itself for an agent, who is the visitor
    if (caller?.mcpKeyId !== undefined && request.visitor)
      request.visitor = { ...request.visitor, ip: caller.ip }
    if (kind === 'socket') assertUpgrade(request)
  }
  const enter = (request: FastifyRequest): void | Promise<void> => {
    prepare(request)
    if (isOneSite) refuseForeignSite(request)
    else refuseForeignPage(request)
    const visitor = (request.visitor = visitorOf(request))
    const starting = gates.starting?.()
    const found = starting
      ? starting.then(() => admit(route, request, visitor, gates))
      : admit(route, request, visitor, gates)
    if (found instanceof Promise) return found.then((caller) => accept(request, caller))
    return accept(request, found)
  }
  return (request, _reply, done) => {
    let pending: void | Promise<void>
    try {
      pending = enter(request)
    } catch (error) {
      pending = Promise.reject(error)
    }
    if (pending) void proceed(pending, done)
    else done()
  }
}

async function proceed(pending: Promise<void>, done: (error?: Error) => void): Promise<void> {
  const failure = await pending.then(
    () => undefined,
    (error: Error) => error,
  )
  done(failure)
}
