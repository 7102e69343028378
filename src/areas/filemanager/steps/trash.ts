import type { OwnerOf } from './files.ts'
import { ownerStep } from './owner-step.ts'

interface TrashArgs {
  readonly username: string
  readonly ids?: readonly string[]
}

/** The steps on what was thrown away. */
export function trashSteps(ownerOf: OwnerOf) {
  return {
    restore: ownerStep(ownerOf, {
      name: 'restore',
      title: ({ ids = [] }: TrashArgs) => `Put ${ids.length === 1 ? 'one thing' : `${ids.length} things`} of the trash back where it stood`,
      irreversible: 'what is put back before one that fails stays where it is',
      act: (owner, { ids = [] }, signal) => owner.trash.restore(ids, { signal }),
    }),
    empty: ownerStep(ownerOf, {
      name: 'empty',
      title: ({ ids }: TrashArgs) => (ids ? `Remove ${ids.length === 1 ? 'one thing' : `${ids.length} things`} of the trash` : 'Empty the trash'),
      irreversible: 'what is removed is gone for good',
      act: (owner, { ids }, signal) => owner.trash.empty(ids, { signal }),
    }),
  }
}
