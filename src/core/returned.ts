import type { Step } from './change.ts'

/** A future result of a step. */
export interface Returned {
  readonly step: Step
  readonly key: string
}

const known = new WeakMap<object, Returned>()

/**
 * Stands for a field of an earlier step's result: in the arguments of a later step, in rows, jobs and the
 * reply. It is passed on and never inspected; a decision that puts it into a text, or compares it, throws.
 */
export function from<Result, Key extends keyof Result & string>(step: Step<Result>, key: Key): Result[Key] {
  const refuse = (): never => {
    throw new TypeError(`${key} is returned by ${step.kind.name} when it acts: a decision cannot look at it`)
  }
  const placeholder = Object.freeze({
    toString: refuse,
    valueOf: refuse,
    toJSON: refuse,
    [Symbol.toPrimitive]: refuse,
  })
  known.set(placeholder, { step, key })
  return placeholder as never
}

/** Returns the result that a value stands for, if it was made by `from`. */
export function returnedOf(value: unknown): Returned | undefined {
  return typeof value === 'object' && value !== null ? known.get(value) : undefined
}
