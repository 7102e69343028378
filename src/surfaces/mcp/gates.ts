import type { Agent } from '../../core/agent.ts'
import { admits, superuser } from '../../core/guard.ts'
import type { PermissionSlug } from '../../core/permissions.ts'
import type { Route } from '../routes.ts'

/** A request of an agent, as the gates see it. */
interface Asked {
  readonly method: string
  readonly parts: readonly string[]
  /** The routes that the path can mean; none if it is unknown. */
  readonly found: readonly Route[]
}

/** Returns why a key does not allow a request, before the owner's permissions are looked at; undefined if it does. */
export function denialOf({ isReadOnly, scopes }: Agent, { method, parts, found }: Asked): string | undefined {
  if (isReadOnly && method !== 'GET') return 'This key is read-only: it allows GET only'
  const missing = scopesOf(found).find((scope) => scopes.length > 0 && !scopes.includes(scope))
  if (missing !== undefined) return `This key is limited to ${scopes.join(', ')}: this needs ${missing}`
  return isClosed({ method, parts, found }) ? 'Agents cannot call this endpoint' : undefined
}

/** True if `list_endpoints` shows a route: the key allows it, and its owner passes the guard. */
export function isCallable(agent: Agent, route: Route): boolean {
  const { guard, endpoint, path } = route
  if (!admits(guard.kind === 'key' ? superuser : guard, agent.owner)) return false
  if (endpoint.changesAccess && agent.owner.isLimited) return false
  const asked = { method: endpoint.method, parts: path.split('/').slice(1), found: [route] }
  return denialOf(agent, asked) === undefined
}

/** The slug of a route's guard; everything else belongs to the administration of the host. */
function scopesOf(found: readonly Route[]): readonly PermissionSlug[] {
  if (found.length === 0) return ['administrative_operations']
  return found.map(({ guard }) => (guard.kind === 'permission' ? guard.slug : 'administrative_operations'))
}

/** The ways by which a key could get a credential, or a connection that outlives the call. */
function isClosed({ method, parts, found }: Asked): boolean {
  const [, subject = ''] = parts
  if (subject === 'mcp' || subject === 'auth' || subject === 'terminal') return true
  // the assistant is such an agent: it neither changes what it runs with nor talks to itself
  if (method !== 'GET' && subject === 'ai') return true
  if (method !== 'GET' && parts.some((part) => part === 'mcp-keys' || part === 'api-keys')) return true
  return found.some(
    ({ area, guard, endpoint }) =>
      // keys of other programs, without which loopback may be enough: the request comes from there
      (guard.kind === 'key' && !guard.orSuperuser) ||
      area.name === 'terminal' ||
      guard.kind === 'socket-token' ||
      endpoint.reply.kind === 'socket',
  )
}
