import Type from 'typebox'
import { Value } from 'typebox/value'
import type { Dnslb } from './context.ts'

const Frontends = Type.Object({ frontends: Type.Array(Type.Object({ address: Type.String() })) })
const Rules = Type.Object({
  rules: Type.Array(Type.Object({ rule: Type.String(), action: Type.String(), matches: Type.Number() })),
})
const Counters = Type.Record(Type.String(), Type.Unknown())

/** Returns whether dnsdist is installed and runs, and where it listens. */
export async function readStatus({ dnsdist }: Dnslb) {
  const found = await dnsdist.detect()
  const running = found.present && (await dnsdist.isRunning())
  const [startedAt, reported] = running
    ? await Promise.all([dnsdist.startedAt(), dnsdist.get('/api/v1/servers/localhost')])
    : []
  const frontends = Value.Check(Frontends, reported) ? reported.frontends : []
  return {
    installed: found.present,
    running,
    version: found.version,
    started_at: startedAt === undefined ? null : new Date(startedAt).toISOString(),
    addresses: [...new Set(frontends.map(({ address }) => address))],
    reason: found.reason,
  }
}

/** Returns the counters of the running dnsdist; all are zero when it does not run. */
export async function readStats({ dnsdist }: Dnslb) {
  const running = (await dnsdist.detect()).present && (await dnsdist.isRunning())
  const [counted, reported] = running
    ? await Promise.all([dnsdist.get('/jsonstat?command=stats'), dnsdist.get('/api/v1/servers/localhost')])
    : []
  const counters = Value.Check(Counters, counted) ? counted : {}
  const count = (name: string) => Number(counters[name] ?? 0)
  const rules = Value.Check(Rules, reported) ? reported.rules : []
  return {
    running,
    queries: count('queries'),
    responses: count('responses'),
    cache_hits: count('cache-hits'),
    cache_misses: count('cache-misses'),
    dropped: count('rule-drop'),
    refused: count('rule-refused'),
    nxdomain: count('rule-nxdomain'),
    acl_drops: count('acl-drops'),
    timeouts: count('downstream-timeouts'),
    latency_us: count('latency-avg1000'),
    uptime_seconds: count('uptime'),
    rules: rules.map(({ rule, action, matches }) => ({
      rule: rule.slice(0, 1000),
      action: action.slice(0, 1000),
      matches,
    })),
  }
}
