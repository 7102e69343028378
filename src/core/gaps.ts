import type { Step } from './change.ts'
import { returnedOf } from './returned.ts'

type Path = readonly (string | number)[]

/** A place that is filled with the result of a step, stored next to the values. */
export interface Gap {
  readonly at: Path
  /** The index of the step that returns it, from 0. */
  readonly step: number
  readonly key: string
}

/** A value with empty gaps, and their positions. */
interface Gapped<Value> {
  readonly value: Value
  readonly gaps: readonly Gap[]
}

/**
 * Replaces the stand-ins of `from` in a value by gaps. Throws if one refers to a step that is not among the
 * given ones.
 */
export function takeGaps<Value>(value: Value, steps: readonly Step[], at: Path = []): Gapped<Value> {
  const gaps: Gap[] = []
  const taken = mapReturned(value, at, ({ step, key }, place) => {
    const index = steps.indexOf(step)
    if (index === -1)
      throw new Error(
        `${place.join('.')} uses ${key} of ${step.kind.name}, which is no earlier step of the change`,
      )
    gaps.push({ at: place, step: index, key })
    return null
  })
  return { value: taken, gaps }
}

/** Replaces each future result in a value by a readable placeholder. */
export function nameGaps<Value>(value: Value, steps: readonly Step[]): Value {
  return mapReturned(value, [], ({ step, key }) => `‹${key} of step ${steps.indexOf(step) + 1}›`)
}

/** Fills the gaps below a path with the results of the steps. */
export function fillGaps<Value>(value: Value, gaps: readonly Gap[], results: readonly unknown[]): Value {
  return gaps.reduce((filled, { at, step, key }) => set(filled, at, fieldOf(results[step], key)), value)
}

function fieldOf(result: unknown, key: string): unknown {
  if (typeof result !== 'object' || result === null || !(key in result))
    throw new Error(`a step returned no ${key}`)
  return Reflect.get(result, key)
}

type Returned = NonNullable<ReturnType<typeof returnedOf>>

/** Returns the same value, or a copy if it contains a result. */
function mapReturned<Value>(value: Value, at: Path, map: (returned: Returned, at: Path) => unknown): Value {
  const returned = returnedOf(value)
  if (returned !== undefined) return map(returned, at) as Value
  if (Array.isArray(value)) {
    const items: unknown[] = value.map((item, index) => mapReturned(item, [...at, index], map))
    return (items.some((item, index) => item !== value[index]) ? items : value) as Value
  }
  if (!isPlain(value)) return value
  const entries = Object.entries(value).map(
    ([name, part]) => [name, mapReturned(part, [...at, name], map)] as const,
  )
  return (
    entries.some(([name, part]) => part !== value[name])
      ? { ...value, ...Object.fromEntries(entries) }
      : value
  ) as Value
}

function set<Value>(value: Value, [first, ...rest]: Path, filling: unknown): Value {
  if (first === undefined) return filling as Value
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (index === first ? set(item, rest, filling) : item)) as Value
  if (!isPlain(value)) throw new Error(`there is no place for a result at ${first}`)
  return { ...value, [first]: set(value[first], rest, filling) }
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const made: unknown = Object.getPrototypeOf(value)
  return made === Object.prototype || made === null
}
