import type { StepKind } from '../../../core/change.ts'
import { Problem } from '../../../core/problem.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import { ActivationFailed, ScriptFailed } from '../problems.ts'
import type { AskWordPress, Place } from '../run-script.ts'
import type { FindFault } from '../site-check.ts'

export interface StateArgs extends Place {
  readonly kind: 'plugin' | 'theme'
  readonly name: string
  /** `active` or `inactive` for a plugin; for a theme the one that is active. */
  readonly state: string
  readonly checksSite: boolean
}

interface StateParts {
  readonly ask: AskWordPress
  readonly faultOf: FindFault
}

/** The step that activates or deactivates a plugin, or replaces the active theme. A website that fails afterwards gets the former state back. */
export function setItemState({ ask, faultOf }: StateParts): StepKind<StateArgs, Was<string>, null> {
  return stateStep<StateArgs, string>({
    name: 'wordpress.set-state',
    plan: ({ domain, kind, name, state, checksSite }) => ({
      title: `${state === 'inactive' ? 'Deactivate' : 'Activate'} the ${kind} ${name} of ${domain}`,
      details: checksSite
        ? ['The front page and the page of sign-ins must answer afterwards; otherwise it is taken back']
        : [],
    }),
    read: async ({ kind, name, ...place }) => {
      const { state } = await ask(place, 'state', { kind, name })
      return state ?? undefined
    },
    wanted: ({ state }) => state,
    write: async (args, state, { run }) => {
      if (state === undefined) return // it was deleted meanwhile
      await setState(ask, args, { state, isUndo: run === undefined, signal: run?.signal })
      if (run === undefined || !args.checksSite) return
      const fault = await faultOf({ name: args.domain, isTls: args.isTls }, run.signal)
      if (fault !== undefined) throw ActivationFailed(`${args.name}: ${fault}`)
    },
  })
}

interface Setting {
  readonly state: string
  readonly isUndo: boolean
  readonly signal: AbortSignal | undefined
}

/** Hooks of plugins need the others; what breaks WordPress is switched off without them. */
async function setState(ask: AskWordPress, args: StateArgs, { state, isUndo, signal }: Setting) {
  const { kind, name, ...place } = args
  const input = { kind, name, state }
  const stops = signal === undefined ? {} : { signal }
  try {
    await ask(place, 'set_state', input, { ...stops, loadsAll: true })
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== ScriptFailed) throw error
    if (!isUndo && state !== 'inactive') throw ActivationFailed(`${name}: ${error.message}`, { cause: error })
    await ask(place, 'set_state', input, stops)
  }
}
