import type { StepKind } from '../../core/change.ts'
import { type ServiceState, serviceOf, serviceStep } from '../../host/apply/steps.ts'
import type { Services } from '../../host/services.ts'
import type { ServiceVerb } from '../../host/services/driver.ts'

/** The arguments of the step: the service, and the units that its stop affects. */
export interface SwitchArgs {
  readonly name: string
  readonly verb: ServiceVerb
  /** The running units that stop with it. */
  readonly stopped: readonly string[]
  /** The units that may start it again. */
  readonly triggers: readonly string[]
}

/**
 * The step that starts, stops, restarts, reloads, enables or disables any service. The undo of a stop also
 * starts the services that stopped with it.
 */
export function switchStep(services: Services): StepKind<SwitchArgs, ServiceState, null> {
  const name = 'services.switch'
  const of = (service: string) =>
    serviceStep<SwitchArgs>(serviceOf(services, service), { name, title: service, reloads: service })
  const kind = of('')
  return {
    ...kind,
    plan: async (args) => ({ ...(await of(args.name).plan(args)), details: detailsOf(args) }),
    observe: (args) => of(args.name).observe(args),
    act: (args, run) => of(args.name).act(args, run),
    undo: async (args, before) => {
      await of(args.name).undo(args, before)
      if (args.verb !== 'stop' || !before.isActive) return
      for (const unit of args.stopped.filter((each) => each.endsWith('.service'))) await services.start(unit)
    },
    check: (args, before) => of(args.name).check(args, before),
  }
}

function detailsOf({ name, verb, stopped, triggers }: SwitchArgs): readonly string[] {
  const spread = verb === 'restart' ? 'Restarts or stops' : 'Also stops'
  return [
    ...(stopped.length > 0 ? [`${spread} what depends on ${name}: ${stopped.join(', ')}`] : []),
    ...(triggers.length > 0 ? [`${triggers.join(', ')} may start ${name} again`] : []),
  ]
}
