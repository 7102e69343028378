import { AsyncLocalStorage } from 'node:async_hooks'

/** The step that the current code acts for. */
export interface ActingStep {
  /** `<change>:<index>`; programs that the step starts carry it in their environment. */
  readonly token: string
}

/** Set while a step acts, or is undone or recovered: whatever is called within it can tell. */
export const actingStep = new AsyncLocalStorage<ActingStep>()

/** The variable by which a program is known to belong to a step, also after the panel was killed. */
export const stepVariable = 'HOSTREEVE_STEP'
