import type { StepKind, StepPlan, StepRun, StepState } from '../../../core/change.ts'
import type { Owner } from '../../../host/owner/index.ts'
import type { OwnerOf } from './files.ts'

interface OwnerWork<Args, Result, Before> {
  readonly name: string
  readonly title: (args: Args) => string
  /** Absent if the opposite action restores the previous state. */
  readonly irreversible?: string | ((args: Args) => string | undefined)
  /** Describes the result without changing anything, as sentences or as part of a plan; throws what `act` would throw. */
  readonly preview?: (owner: Owner, args: Args) => Promise<readonly string[] | Partial<StepPlan>>
  readonly act: (
    owner: Owner,
    args: Args,
    signal: AbortSignal,
    told: Pick<StepRun<unknown>, 'progress' | 'output'>,
  ) => Promise<Result>
  /** Reads the state that `state` compares with. */
  readonly observe: (owner: Owner, args: Args) => Promise<Before>
  /** Absent if the owner may have changed what the step made. */
  readonly undo?: (owner: Owner, args: Args, before: Before) => Promise<void>
  /** Returns how far the step came when the panel was killed; `other` if that is unknown. */
  readonly state: (owner: Owner, args: Args, before: Before) => Promise<StepState>
}

const ofTheOwner = 'the owner may have changed the result by now'

/** Makes a step that the helper carries out completely or not at all, so that an interrupted one needs no undo. */
export function ownerStep<Args extends { readonly username: string }, Result, Before>(
  ownerOf: OwnerOf,
  work: OwnerWork<Args, Result, Before>,
): StepKind<Args, Before, Result> {
  const { name, title, irreversible, preview, act, observe, undo, state } = work
  const whyFinal = (args: Args) => (typeof irreversible === 'function' ? irreversible(args) : irreversible)
  return {
    name: `filemanager.${name}`,
    plan: (args) => {
      const why = whyFinal(args)
      return {
        title: `${title(args)} in the home of ${args.username}`,
        ...(why !== undefined && { irreversible: why }),
      }
    },
    ...(preview && {
      preview: async (args) => {
        const seen = await preview(await ownerOf(args.username), args)
        return 'length' in seen ? { details: seen } : seen
      },
    }),
    observe: async (args) => observe(await ownerOf(args.username), args),
    act: async (args, run) => act(await ownerOf(args.username), args, run.signal, run),
    undo: async (args, before) => undo?.(await ownerOf(args.username), args, before),
    notUndone: (args) => whyFinal(args) ?? (undo === undefined ? ofTheOwner : undefined),
    check: async (args, before) => state(await ownerOf(args.username), args, before),
  }
}
