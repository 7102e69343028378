import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import { applyBalancer, isServed } from '../apply.ts'
import { type Balancer, parseBalancer } from '../balancer.ts'
import { balancerPath } from '../layout.ts'
import type { DnsdistParts } from '../parts.ts'

export interface SetBalancerArgs {
  readonly title: string
  readonly balancer: Balancer
}

/** The step that replaces the panel's servers, lists and rules; dnsdist restarts within some tens of milliseconds. */
export function setBalancer(parts: DnsdistParts): StepKind<SetBalancerArgs, Was<Balancer>, null> {
  return stateStep<SetBalancerArgs, Balancer>({
    name: 'dnsdist.set-balancer',
    plan: ({ title }) => ({
      title,
      details: ['dnsdist restarts; queries that arrive meanwhile are not answered.'],
      commands: [['dnsdist', '--check-config', '-C', parts.layout.configPath]],
      reloads: ['dnsdist'],
    }),
    read: async () => parseBalancer(await parts.host.files.read(balancerPath(parts.layout))),
    wanted: ({ balancer }) => balancer,
    isInEffect: () => isServed(parts, balancerPath(parts.layout)),
    write: (_args, balancer) => applyBalancer(parts, balancer ?? parseBalancer(undefined)),
  })
}
