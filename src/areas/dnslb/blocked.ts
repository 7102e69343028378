import type { Static } from 'typebox'
import type { Balancer } from '../../tools/dnsdist/index.ts'
import type { Dnslb } from './context.ts'
import type { BlockedNames } from './model.ts'

const mostShown = 50

/** Lists the names that are blocked, of those that occur most in the last queries; none while dnsdist does not run. */
export async function listBlocked({ dnsdist }: Dnslb): Promise<Static<typeof BlockedNames>> {
  const isRunning = (await dnsdist.detect()).present && (await dnsdist.isRunning())
  const queried = isRunning ? ((await dnsdist.topQueries()) ?? []) : []
  if (queried.length === 0) return { names: [] }
  const blockers = blockersOf(
    queried.map(({ name }) => name),
    await dnsdist.readBalancer(),
  )
  const names = queried.flatMap(({ name, queries }) => {
    const by = blockers.get(name)
    return by === undefined ? [] : [{ name, queries, by }]
  })
  return { names: names.slice(0, mostShown) }
}

const blockingActions: ReadonlySet<string> = new Set(['drop', 'nxdomain', 'refuse'])

/** Returns what blocks each of the names that is blocked: the first list or rule that contains it decides, whoever asks. */
export function blockersOf(
  names: readonly string[],
  { domainLists, rules }: Pick<Balancer, 'domainLists' | 'rules'>,
): ReadonlyMap<string, string> {
  const suffixes = new Map(names.map((name) => [name, suffixesOf(name)]))
  const asked = new Set([...suffixes.values()].flat())
  // lists may have hundreds of thousands of domains: those that contain none of the names are left out
  const lists = domainLists.map(({ name, action, domains }) => ({
    by: action === 'block' ? `domain list ${name}` : undefined,
    domains: new Set(domains.filter((domain) => asked.has(domain))),
  }))
  const ofRules = rules
    .filter(({ match }) => match === 'domain')
    .map(({ name, action, value }) => ({
      by: blockingActions.has(action) ? `rule ${name}` : undefined,
      domains: new Set([value.toLowerCase().replaceAll(/^\.+|\.$/g, '')]),
    }))
  const all = [...lists, ...ofRules]
  return new Map(
    [...suffixes].flatMap(([name, ends]) => {
      const by = all.find(({ domains }) => ends.some((end) => domains.has(end)))?.by
      return by === undefined ? [] : [[name, by] as const]
    }),
  )
}

/** A name and what it is below: `www.example.com`, `example.com`, `com`. */
function suffixesOf(name: string): readonly string[] {
  const labels = name.split('.')
  return labels.map((_label, at) => labels.slice(at).join('.'))
}
