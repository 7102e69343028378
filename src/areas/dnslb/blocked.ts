import type { Static } from 'typebox'
import type { Dnsdist } from '../../tools/dnsdist/index.ts'
import type { Dnslb } from './context.ts'
import type { BlockedNames } from './model.ts'

const mostShown = 50

/** Lists the names that are blocked, of those that occur most in the last queries; none while dnsdist does not run. */
export async function listBlocked({ dnsdist }: Dnslb): Promise<Static<typeof BlockedNames>> {
  const isRunning = (await dnsdist.detect()).present && (await dnsdist.isRunning())
  const queried = isRunning ? ((await dnsdist.topQueries()) ?? []) : []
  const asked = queried.map(({ name }) => name)
  const blockers = blockersOf(asked, await dnsdist.readContaining(asked.flatMap(suffixesOf)))
  const names = queried.flatMap(({ name, queries }) => {
    const by = blockers.get(name)
    return by === undefined ? [] : [{ name, queries, by }]
  })
  return { names: names.slice(0, mostShown) }
}

const blockingActions: ReadonlySet<string> = new Set(['drop', 'nxdomain', 'refuse'])

type Containing = Awaited<ReturnType<Dnsdist['readContaining']>>

/** Returns what blocks each of the names that is blocked: the first list or rule that contains it decides, whoever asks. */
export function blockersOf(
  names: readonly string[],
  { domainLists, rules }: Containing,
): ReadonlyMap<string, string> {
  const lists = domainLists.map(({ name, action, domains }) => ({
    by: action === 'block' ? `domain list ${name}` : undefined,
    domains,
  }))
  const ofRules = rules
    .filter(({ match }) => match === 'domain')
    .map(({ name, action, value }) => ({
      by: blockingActions.has(action) ? `rule ${name}` : undefined,
      domains: new Set([value.toLowerCase().replaceAll(/^\.+|\.$/g, '')]),
    }))
  const all = [...lists, ...ofRules]
  return new Map(
    names.flatMap((name) => {
      const ends = suffixesOf(name)
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
