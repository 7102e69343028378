import type { StepPlan } from '../../../core/change.ts'

interface Planned<Args, StateOf> {
  readonly object: (args: Args) => string
  readonly read: (args: Args) => Promise<StateOf | undefined>
  readonly wanted: (args: Args, was: StateOf | undefined) => StateOf | undefined
  readonly show: (state: StateOf) => string
}

/** Shows in a plan the effect on the one object that a step changes. */
export function plannedObject<Args, StateOf>({ object, read, wanted, show }: Planned<Args, StateOf>) {
  const shown = (state: StateOf | undefined) => (state === undefined ? null : show(state))
  return async (args: Args): Promise<Partial<StepPlan>> => {
    const now = await read(args)
    return { objects: [{ name: object(args), before: shown(now), after: shown(wanted(args, now)) }] }
  }
}
