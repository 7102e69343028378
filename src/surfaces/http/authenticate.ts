import type { Caller, Visitor } from '../../core/caller.ts'
import { admits, describeGuard, type Guard } from '../../core/guard.ts'
import { FeatureDisabled, Forbidden, PluginDisabled, Unauthorized } from '../../core/problem.ts'
import type { Route } from '../routes.ts'
import { attemptLimit } from './limits.ts'

/** Finds who stands behind a credential; undefined when it is not valid (any more). */
export interface Credentials {
  find(token: string, visitor: Visitor): Caller | undefined | Promise<Caller | undefined>
  /** A signal that ends with the credential of a caller; released when the response is over. */
  hold(caller: Caller): { readonly signal: AbortSignal; release(): void }
}

/** What may be switched off on this host. */
export interface Switches {
  isPluginEnabled(name: string): boolean
  isFeatureEnabled(name: string): boolean
}

const failedAttempts = attemptLimit(60)

/** Admits a request or throws: credential, guard, feature, plugin, in this order (decision 1.1). */
export async function admit(
  route: Route,
  authorization: string | undefined,
  visitor: Visitor,
  gates: { readonly credentials: Credentials; readonly switches: Switches },
): Promise<Caller | undefined> {
  const caller = await authenticate(route.guard, authorization, visitor, gates.credentials)
  if (caller && !admits(route.guard, caller))
    throw Forbidden(`This needs ${describeGuard(route.guard)}: your account does not have it`)
  const { feature, plugin } = route.area
  if (feature && !gates.switches.isFeatureEnabled(feature))
    throw FeatureDisabled(`The feature ${feature} is not licensed`)
  if (plugin && !gates.switches.isPluginEnabled(plugin))
    throw PluginDisabled(`The plugin ${plugin} is disabled: a superuser can enable it`)
  return caller
}

async function authenticate(
  guard: Guard,
  authorization: string | undefined,
  visitor: Visitor,
  credentials: Credentials,
): Promise<Caller | undefined> {
  if (guard.kind === 'open' && (!guard.checksCredential || authorization === undefined)) return undefined
  const token = bearerOf(authorization)
  const found = token === undefined ? undefined : credentials.find(token, visitor)
  const caller = found instanceof Promise ? await found : found
  if (caller) return caller
  if (authorization !== undefined) await failedAttempts.count(visitor.ip)
  throw Unauthorized()
}

function bearerOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.length > 8192) return undefined
  return /^Bearer +([\w.~+/=-]+)$/i.exec(authorization)?.[1]
}
