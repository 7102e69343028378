import type { ErrorStyle } from '../core/endpoint.ts'
import { FactorRequired, FeatureDisabled, Forbidden, PluginDisabled, Unauthorized } from '../core/problem.ts'
import type { Route } from './routes.ts'

const ofGuards: ReadonlySet<string> = new Set(
  [Unauthorized, Forbidden, FeatureDisabled, PluginDisabled, FactorRequired].map(({ code }) => code),
)

/**
 * Returns how a route words a failure: as its area does, but with a code where a guard rejects the caller (decision
 * 1.2). A flat route that monitors call with a key of their own stays flat.
 */
export function errorStyleOf({ endpoint, area, guard }: Omit<Route, 'context'>, code: string): ErrorStyle {
  const usual = endpoint.errors ?? area.errors
  const isForMonitors = usual === 'flat' && guard.kind === 'key'
  return ofGuards.has(code) && !isForMonitors ? 'coded' : usual
}
