import { actingStep } from '../../core/acting.ts'
import type { AnyStepKind, Changed, StepKind, StepRun, StepState } from '../../core/change.ts'
import { Conflict } from '../../core/problem.ts'
import { reversedDiff } from '../../core/unified-diff.ts'
import type { StepKinds, StoredStep } from '../work.ts'

/** The name of the kind: stored changes contain it. */
const undoStepName = 'changes.undo'

/** A step of a settled change, and whether it is undone or acts again. */
export interface UndoArgs {
  readonly kind: string
  readonly args: unknown
  readonly before: unknown
  /** True if an undo is taken back: the step acts again. */
  readonly isRepeated: boolean
  /** The reason why it must not act again, if there is one. */
  readonly notRepeated?: string
}

/** The arguments of a stored step of this kind; undefined for any other. */
export function undoArgsOf({ kind, args }: Pick<StoredStep, 'kind' | 'args'>): UndoArgs | undefined {
  const isUndo = (given: unknown): given is UndoArgs => kind === undoStepName && given !== undefined
  return isUndo(args) ? args : undefined
}

/** Makes the step that undoes a step of a settled change, or carries it out again. */
export function undoStep(kinds: () => StepKinds): StepKind<UndoArgs, null, null> {
  const kindOf = ({ kind }: UndoArgs): AnyStepKind => {
    const found = kinds().get(kind)
    if (found === undefined) throw Conflict(`the panel has no step ${kind} any longer`)
    return found
  }
  const titleOf = async (args: UndoArgs) => (await kindOf(args).plan(args.args)).title
  return {
    name: undoStepName,
    plan: async (args) => ({ title: `${args.isRepeated ? 'Repeat' : 'Undo'}: ${await titleOf(args)}` }),
    preview: async (args) => changedBy(args, kindOf(args)),
    changed: (args) => changedBy(args, kindOf(args)),
    observe: async (args) => {
      const kind = kindOf(args)
      const state = await kind.check(args.args, args.before)
      const isAsLeft = args.isRepeated ? state !== 'other' : state === 'wanted'
      if (!isAsLeft) throw Conflict(`${await titleOf(args)}: the host has been changed since`)
      if (args.isRepeated) await kind.observe(args.args) // throws what the step would refuse
      return null
    },
    act: async (args, run) => {
      const { before } = args
      if (args.isRepeated)
        await kindOf(args).act(args.args, { ...run, before, isJustObserved: false, live: undefined })
      else await kindOf(args).undo(args.args, before)
      return null
    },
    undo: async (args) => {
      const kind = kindOf(args)
      if (args.isRepeated) return kind.undo(args.args, args.before)
      if ((await kind.check(args.args, args.before)) !== 'wanted')
        await kind.act(args.args, putBack(args.before))
    },
    check: async (args) => {
      const state = await kindOf(args).check(args.args, args.before)
      return args.isRepeated ? state : opposite[state]
    },
    // a kill may have left the original step half undone
    recover: async (args) => {
      const kind = kindOf(args)
      if (args.isRepeated) await kind.recover?.(args.args, args.before)
      else await kind.undo(args.args, args.before)
    },
  }
}

/** What the step changes: the reverse of what the step that it undoes has changed. */
function changedBy({ args, before, isRepeated }: UndoArgs, kind: AnyStepKind): Changed {
  const { files, objects } = kind.changed?.(args, before) ?? {}
  if (isRepeated) return { ...(files && { files }), ...(objects && { objects }) }
  return {
    ...(files && { files: files.map(({ path, diff }) => ({ path, diff: reversedDiff(diff) })) }),
    ...(objects && { objects: objects.map((each) => ({ ...each, before: each.after, after: each.before })) }),
  }
}

const opposite: Readonly<Record<StepState, StepState>> = {
  wanted: 'before',
  before: 'wanted',
  other: 'other',
}

/** The run of a step that acts again because the undo failed after it; like every undo it is not aborted. */
const putBack = (before: unknown): StepRun<unknown> => ({
  before,
  isJustObserved: false,
  live: undefined,
  signal: new AbortController().signal,
  token: actingStep.getStore()?.token ?? '',
  progress: () => {},
  output: () => {},
})
