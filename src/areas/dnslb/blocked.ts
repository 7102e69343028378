import type { Static } from 'typebox'
import type { Balancer } from '../../tools/dnsdist/index.ts'
import type { Dnslb } from './context.ts'
import type { BlockedNames } from './model.ts'

const mostShown = 50

/** Lists the names that are blocked, of those that occur most in the last queries; none while dnsdist does not run. */
export async function listBlocked({ dnsdist }: Dnslb): Promise<Static<typeof BlockedNames>> {
  const isRunning = (await dnsdist.detect()).present && (await dnsdist.isRunning())
  const queried = isRunning ? ((await dnsdist.topQueries()) ?? []) : []
  const blockerOf = blockersIn(await dnsdist.readBalancer())
  const names = queried.flatMap(({ name, queries }) => {
    const by = blockerOf(name)
    return by === undefined ? [] : [{ name, queries, by }]
  })
  return { names: names.slice(0, mostShown) }
}

const blockingActions: ReadonlySet<string> = new Set(['drop', 'nxdomain', 'refuse'])

/** Returns what blocks a name: the first list or rule that contains it decides, whoever asks. */
export function blockersIn({
  domainLists,
  rules,
}: Pick<Balancer, 'domainLists' | 'rules'>): (name: string) => string | undefined {
  const lists = domainLists.map(({ name, action, domains }) => ({
    by: action === 'block' ? `domain list ${name}` : undefined,
    domains: new Set(domains),
  }))
  const ofRules = rules
    .filter(({ match }) => match === 'domain')
    .map(({ name, action, value }) => ({
      by: blockingActions.has(action) ? `rule ${name}` : undefined,
      domains: new Set([value.toLowerCase().replaceAll(/^\.+|\.$/g, '')]),
    }))
  const all = [...lists, ...ofRules]
  return (name) => {
    const labels = name.split('.')
    const suffixes = labels.map((_label, at) => labels.slice(at).join('.'))
    return all.find(({ domains }) => suffixes.some((suffix) => domains.has(suffix)))?.by
  }
}
