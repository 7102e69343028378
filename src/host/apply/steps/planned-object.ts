import type { Changed } from '../../../core/change.ts'

interface Planned<Args, StateOf> {
  readonly object: (args: Args) => string
  readonly read: (args: Args) => Promise<StateOf | undefined>
  readonly wanted: (args: Args, was: StateOf | undefined) => StateOf | undefined
  readonly show: (state: StateOf) => string
}

/** Shows the effect of a step on its one object: before it acts, and afterwards. */
export function plannedObject<Args, StateOf>({ object, read, wanted, show }: Planned<Args, StateOf>) {
  const shown = (state: StateOf | undefined) => (state === undefined ? null : show(state))
  const changed = (args: Args, was: StateOf | undefined, now: StateOf | undefined): Changed => ({
    objects: [{ name: object(args), before: shown(was), after: shown(now) }],
  })
  const preview = async (args: Args) => {
    const now = await read(args)
    return changed(args, now, wanted(args, now))
  }
  return { preview, changed }
}
