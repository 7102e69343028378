import type { SimulatedAccess } from '../../tools/nginx/index.ts'
import { NotAppliable } from './problems.ts'
import type { Resolved } from './resolved.ts'

/** Refuses expressions that nginx cannot compile, with the rule and the condition. */
export function assertExpressions(
  { problems }: Pick<SimulatedAccess, 'problems'>,
  { rulesets }: Pick<Resolved, 'rulesets'>,
): void {
  const [first] = problems
  if (first === undefined) return
  const rule = rulesets.flatMap(({ rules }) => rules).find(({ id }) => id === first.rule)
  throw NotAppliable(
    `The expression of condition ${first.index} of the rule "${rule?.name}": ${first.problem}`,
  )
}
