import { isDeepStrictEqual } from 'node:util'
import { unifiedDiff } from '../../core/unified-diff.ts'
import type { AccessReport } from '../../tools/nginx/index.ts'
import type { AppliedConfig } from './config/model.ts'
import type { Webacl } from './context.ts'
import { countriesIn } from './countries.ts'
import type { Pending } from './model.ts'
import { loadOwner, type OwnerRequest } from './owner.ts'
import { missingGroups, type Resolved, resolved } from './resolved.ts'

type Told = Resolved & Pick<AppliedConfig, 'countries_built_at'>

/** True if nginx does not evaluate a ruleset as it is now. */
export function isPending(id: string, now: Resolved, applied: Resolved | undefined): boolean {
  const stateIn = ({ rulesets, groups }: Resolved) => {
    const position = rulesets.findIndex((each) => each.id === id)
    const conditions = (rulesets[position]?.rules ?? []).flatMap((rule) => rule.conditions)
    const used = new Set(
      conditions.flatMap(({ operator, value }) => (operator === 'in_group' ? [value] : [])),
    )
    return { position, ruleset: rulesets[position], groups: groups.filter(({ name }) => used.has(name)) }
  }
  return applied === undefined || !isDeepStrictEqual(stateIn(now), stateIn(applied))
}

/** True if nginx could not load an owner's rules: it evaluates none until they are applied again. */
export const hasNotLoaded = (report: AccessReport | undefined): boolean => report?.problem !== undefined

/** Shows what apply would change. */
export async function readPending(on: Webacl, request: OwnerRequest, at: Date): Promise<Pending> {
  const owner = await loadOwner(on, request)
  const [config, applied, library, report] = await Promise.all([
    on.configs.read(owner.id),
    on.configs.readApplied(owner.id),
    on.configs.readLibrary(),
    on.nginx.accessReport(owner.id),
  ])
  const id = (config.rulesets[0] ?? applied?.rulesets[0])?.id ?? null
  const now = resolved(config, library)
  const { reason } = countriesIn(now).size === 0 ? { reason: null } : await on.countries.state(at)
  const told = { ...now, ...(await countriesOf(on, now, at)) }
  const diff = id === null ? '' : unifiedDiff('access-rules', textOf(applied), textOf(told)) // groups alone do nothing
  return {
    pending: diff !== '' || hasNotLoaded(report),
    diff,
    ruleset_id: id,
    problems: [
      ...(reason === null ? [] : [`Conditions on countries: ${reason}`.slice(0, 1000)]),
      ...missingGroups(now),
    ].slice(0, 500),
  }
}

/** Returns when the file of countries was built, if rules ask for one: a newer file is a change to apply. */
export async function countriesOf(
  { countries }: Pick<Webacl, 'countries'>,
  now: Resolved,
  at: Date,
): Promise<Pick<AppliedConfig, 'countries_built_at'>> {
  if (countriesIn(now).size === 0) return {}
  const { built_at } = await countries.state(at)
  return built_at === null ? {} : { countries_built_at: built_at }
}

/** An owner without rules looks the same whether rules were ever applied or not. */
function textOf(config: Told | undefined): string {
  const { groups = [], rulesets = [], countries_built_at } = config ?? {}
  return `${JSON.stringify({ groups, rulesets, countries_built_at }, null, 1)}\n`
}
