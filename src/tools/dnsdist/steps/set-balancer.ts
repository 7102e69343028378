import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import { applyBalancer, isBalancerServed } from '../apply.ts'
import { type Balancer, emptyBalancer } from '../balancer.ts'
import { canChangeLive } from '../live.ts'
import type { DnsdistParts } from '../parts.ts'
import { readBalancer } from '../read-balancer.ts'

export interface SetBalancerArgs {
  readonly title: string
  readonly balancer: Balancer
}

/** The step that replaces the panel's servers, lists and rules; dnsdist restarts if it cannot take them as it runs. */
export function setBalancer(parts: DnsdistParts): StepKind<SetBalancerArgs, Was<Balancer>, null> {
  const read = () => readBalancer(parts)
  return stateStep<SetBalancerArgs, Balancer>({
    name: 'dnsdist.set-balancer',
    plan: async ({ title }) => {
      const commands = [['dnsdist', '--check-config', '-C', parts.layout.configPath]]
      if (!(await parts.starter.isRunning())) return { title, commands }
      if (await canChangeLive(parts))
        return { title, commands, details: ['dnsdist takes the change as it runs, without a restart.'] }
      const details = ['dnsdist restarts; queries that arrive meanwhile are not answered.']
      return { title, commands, details, reloads: ['dnsdist'] }
    },
    read,
    wanted: ({ balancer }) => balancer,
    isInEffect: async () => isBalancerServed(parts, await read()),
    write: (_args, balancer) => applyBalancer(parts, balancer ?? emptyBalancer),
  })
}
