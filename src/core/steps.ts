import type { Changed, StepKind, StepPlan, StepRun } from './change.ts'
import { Conflict } from './problem.ts'

/** A state as it is stored: plain JSON; `undefined`, for a field or the whole state, means absent. */
export type State = string | number | boolean | object

/** The starting point of a write. */
export interface Writing<StateOf, Live = unknown> {
  readonly now: StateOf | undefined
  /** Absent in an undo. */
  readonly run?: StepRun<unknown, Live>
}

interface Planned<Args, Live> {
  /** `<tool>.<verb>`, stable: stored changes name it. */
  readonly name: string
  readonly plan: (args: Args) => Promise<StepPlan> | StepPlan
  readonly preview?: (args: Args, live: Live) => Promise<Partial<StepPlan>>
}

export interface StateStepDraft<Args, StateOf, Result, Live> extends Planned<Args, Live> {
  /** The current state; undefined if the object does not exist. */
  readonly read: (args: Args) => Promise<StateOf | undefined>
  /** Pure: computed again from the stored former state after a restart. */
  readonly wanted: (args: Args, was: StateOf | undefined) => StateOf | undefined
  /**
   * Brings the object to a state from the current one, or from one that a killed write left: some parts
   * written and others not.
   */
  readonly write: (
    args: Args,
    state: StateOf | undefined,
    writing: Writing<StateOf, Live>,
  ) => Promise<unknown>
  /** Shows the change from one state to another, without secrets. */
  readonly changed?: (args: Args, was: StateOf | undefined, wanted: StateOf | undefined) => Changed
  /** Throws the reason why the step must not begin; a refusal here needs no undo. */
  readonly refuse?: (args: Args, now: StateOf | undefined) => Promise<void> | void
  /**
   * True if this step may have left the current state; by default each part must be as before or as wanted.
   */
  readonly isOurs?: (now: StateOf | undefined) => boolean
  /**
   * Set if any state is accepted, and `write` keeps what others have made since the observation: then `act`
   * does not read the state again.
   */
  readonly startsFrom?: 'observed'
  /** True if the running program uses the state. A state that is not in effect is written again. */
  readonly isInEffect?: (args: Args) => Promise<boolean>
  /** Reads from the host what `act` returns; null if absent. */
  readonly result?: (args: Args) => Promise<Result>
  /** Restores the former state without the panel; undefined if the object did not exist. */
  readonly armed?: (args: Args, was: StateOf | undefined) => readonly [string, ...string[]]
  /** The reason why it is not undone by id, although a failed change undoes it. */
  readonly notUndone?: string
  /** The failure for a state that is neither the former nor the wanted one. */
  readonly conflict?: (args: Args, now: StateOf | undefined) => Error
}

/** The former state; null if the object did not exist. */
export interface Was<StateOf> {
  readonly was: StateOf | null
}

/**
 * Makes a step that sets a state, from how the state is read and written. A state that is neither the former
 * nor the wanted one, nor a mixture of their parts, was made by another user or program, and is left as it
 * is.
 */
export function stateStep<Args, StateOf extends State, Result = null, Live = unknown>(
  draft: StateStepDraft<Args, StateOf, Result, Live>,
): StepKind<Args, Was<StateOf>, Result, Live> {
  const { name, plan, preview, read, wanted, changed, armed, startsFrom } = draft
  const { isInEffect = async () => true } = draft
  const isOurs = startsFrom === 'observed' ? () => true : draft.isOurs
  const goalOf = (args: Args, before: Was<StateOf>) => wanted(args, before.was ?? undefined)
  const set = async (args: Args, goal: StateOf | undefined, { before, run }: Setting<StateOf, Live>) => {
    const isKnown = startsFrom === 'observed' && run?.isJustObserved
    const now = isKnown ? (before.was ?? undefined) : await read(args)
    if (!(isOurs?.(now) ?? isMixture(now, before.was, goalOf(args, before))))
      throw conflictOf(draft, args, now)
    if (isSame(now, goal) && (await isInEffect(args))) return
    await draft.write(args, goal, { now, ...(run && { run }) })
  }
  return {
    name,
    plan,
    ...(preview && { preview }),
    ...(changed && {
      changed: (args, before) => changed(args, before.was ?? undefined, goalOf(args, before)),
    }),
    observe: async (args) => {
      const now = await read(args)
      await draft.refuse?.(args, now)
      return { was: now ?? null }
    },
    act: async (args, run) => {
      await set(args, goalOf(args, run.before), { before: run.before, run })
      return (draft.result === undefined ? null : await draft.result(args)) as Result
    },
    undo: (args, before) => set(args, before.was ?? undefined, { before }),
    ...(armed && { armed: (args, { was }) => armed(args, was ?? undefined) }),
    ...(draft.notUndone !== undefined && { notUndone: draft.notUndone }),
    check: async (args, before) => {
      const now = await read(args)
      if (!(await isInEffect(args))) return 'other'
      if (isSame(now, goalOf(args, before))) return 'wanted'
      return isSame(now, before.was) ? 'before' : 'other'
    },
  }
}

interface Setting<StateOf, Live> {
  readonly before: Was<StateOf>
  readonly run?: StepRun<Was<StateOf>, Live>
}

function conflictOf<Args, StateOf>(
  { name, conflict }: Pick<StateStepDraft<Args, StateOf, unknown, never>, 'name' | 'conflict'>,
  args: Args,
  now: StateOf | undefined,
): Error {
  return (
    conflict?.(args, now) ?? Conflict(`${name}: it has been changed by another user, and was left as it is`)
  )
}

export interface FinalStepDraft<Args, Before, Result, Live> extends Planned<Args, Live> {
  /** The reason why the work cannot be undone, as the end of a sentence. */
  readonly why: string | ((args: Args) => string)
  readonly act: (args: Args, run: StepRun<Before, Live>) => Promise<Result>
  /** Returns the state that `isDone` compares with; throws the reason why the step must not begin. */
  readonly observe?: (args: Args) => Promise<Before>
  /** Undefined if it cannot be determined, or if a part is done. */
  readonly isDone: (args: Args, before: Before) => Promise<boolean | undefined>
}

/** Makes a step that cannot be undone; its plan states the reason. */
export function finalStep<Args, Before = null, Result = null, Live = unknown>(
  draft: FinalStepDraft<Args, Before, Result, Live>,
): StepKind<Args, Before, Result, Live> {
  const { name, plan, preview, why, act, isDone, observe = async () => null as Before } = draft
  return {
    name,
    plan: async (args) => ({
      ...(await plan(args)),
      irreversible: typeof why === 'string' ? why : why(args),
    }),
    ...(preview && { preview }),
    observe,
    act,
    undo: async () => {},
    notUndone: why,
    check: async (args, before) => {
      const done = await isDone(args, before)
      if (done === undefined) return 'other'
      return done ? 'wanted' : 'before'
    },
  }
}

/** True if two states are equal once stored: null and undefined both mean absent. */
export function isSame(one: unknown, other: unknown): boolean {
  if (isAbsent(one) || isAbsent(other)) return isAbsent(one) && isAbsent(other)
  if (!isParts(one) || !isParts(other)) return one === other
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keysOf(one, other).every((key) => isSame(one[key], other[key]))
  )
}

/** True if each part of a state equals that of one or the other: the result of an interrupted write. */
export function isMixture(now: unknown, one: unknown, other: unknown): boolean {
  if (isSame(now, one) || isSame(now, other)) return true
  const [parts, first, second] = [now ?? {}, one ?? {}, other ?? {}]
  if (!isParts(parts) || !isParts(first) || !isParts(second)) return false
  return keysOf(parts, first, second).every((key) => isMixture(parts[key], first[key], second[key]))
}

type Parts = Readonly<Record<string, unknown>>

const isAbsent = (value: unknown): boolean => value === null || value === undefined
const isParts = (value: unknown): value is Parts => typeof value === 'object' && value !== null
const keysOf = (...states: readonly Parts[]): readonly string[] => [...new Set(states.flatMap(Object.keys))]
