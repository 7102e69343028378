import { AsyncLocalStorage } from 'node:async_hooks'

/** The step that the current code acts for. */
export interface ActingStep {
  /** `<change>:<index>`; programs that the step starts carry it in their environment. */
  readonly token: string
}

/** Set while a step acts, or is undone or recovered, so that functions called within it can detect this. */
export const actingStep = new AsyncLocalStorage<ActingStep>()

/** The environment variable that identifies the programs of a step, even after the panel was killed. */
export const stepVariable = 'HOSTREEVE_STEP'
