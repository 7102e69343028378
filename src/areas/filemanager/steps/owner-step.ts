import type { StepKind, StepPlan, StepState } from '../../../core/change.ts'
import type { Owner } from '../../../host/owner/index.ts'
import type { OwnerOf } from './files.ts'

interface OwnerWork<Args, Result, Before> {
  readonly name: string
  readonly title: (args: Args) => string
  /** Absent where doing the opposite brings back what was. */
  readonly irreversible?: string
  /** What it would do, found out by a look, as sentences or with more of its plan; throws what would be refused. */
  readonly preview?: (owner: Owner, args: Args) => Promise<readonly string[] | Partial<StepPlan>>
  readonly act: (owner: Owner, args: Args, signal: AbortSignal) => Promise<Result>
  /** Reads what `state` compares with. */
  readonly observe: (owner: Owner, args: Args) => Promise<Before>
  /** How far it came when the panel was killed; `other` where nobody can tell. */
  readonly state: (owner: Owner, args: Args, before: Before) => Promise<StepState>
}

/** A step that the confined program carries out whole or not at all: where it stopped there is nothing to undo. */
export function ownerStep<Args extends { readonly username: string }, Result, Before>(
  ownerOf: OwnerOf,
  work: OwnerWork<Args, Result, Before>,
): StepKind<Args, Before, Result> {
  const { name, title, irreversible, preview, act, observe, state } = work
  return {
    name: `filemanager.${name}`,
    plan: (args) => ({
      title: `${title(args)} in the home of ${args.username}`,
      ...(irreversible !== undefined && { irreversible }),
    }),
    ...(preview && {
      preview: async (args) => {
        const seen = await preview(await ownerOf(args.username), args)
        return 'length' in seen ? { details: seen } : seen
      },
    }),
    observe: async (args) => observe(await ownerOf(args.username), args),
    act: async (args, { signal }) => act(await ownerOf(args.username), args, signal),
    undo: async () => {},
    check: async (args, before) => state(await ownerOf(args.username), args, before),
  }
}
