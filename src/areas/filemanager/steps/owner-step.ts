import type { StepKind, StepState } from '../../../core/change.ts'
import type { Owner } from '../../../host/owner/index.ts'
import type { OwnerOf } from './files.ts'

interface OwnerWork<Args, Result> {
  readonly name: string
  readonly title: (args: Args) => string
  /** Absent where doing the opposite brings back what was. */
  readonly irreversible?: string
  readonly act: (owner: Owner, args: Args, signal: AbortSignal) => Promise<Result>
  readonly state?: (owner: Owner, args: Args) => Promise<StepState>
}

/** A step that the confined program carries out whole or not at all: where it stopped there is nothing to undo. */
export function ownerStep<Args extends { readonly username: string }, Result>(
  ownerOf: OwnerOf,
  work: OwnerWork<Args, Result>,
): StepKind<Args, null, Result> {
  const { name, title, irreversible, act, state } = work
  return {
    name: `filemanager.${name}`,
    plan: (args) => ({ title: `${title(args)} in the home of ${args.username}`, ...(irreversible !== undefined && { irreversible }) }),
    observe: async () => null,
    act: async (args, { signal }) => act(await ownerOf(args.username), args, signal),
    undo: async () => {},
    check: async (args) => state?.(await ownerOf(args.username), args) ?? 'other',
  }
}
