import type { StepState } from '../../../core/change.ts'
import type { Owner } from '../../../host/owner/index.ts'
import type { OwnerOf } from './files.ts'
import { firstOf } from '../count-text.ts'
import { ownerStep } from './owner-step.ts'
import { reachOf } from './plan-text.ts'

interface TrashArgs {
  readonly username: string
  readonly ids?: readonly string[]
}

/** Returns the steps on the trash. */
export function trashSteps(ownerOf: OwnerOf) {
  return {
    restore: ownerStep(ownerOf, {
      name: 'restore',
      title: ({ ids = [] }: TrashArgs) =>
        `Put ${ids.length === 1 ? 'one thing' : `${ids.length} things`} of the trash back where it stood`,
      irreversible: 'what is put back before one that fails stays where it is',
      preview: async (owner, { ids = [] }) => {
        const back = await owner.preview((one) => one.trash.restore(ids))
        return [`Puts back ${firstOf(back.paths, ids.length)}: ${reachOf(back)}`]
      },
      act: (owner, { ids = [] }, signal) => owner.trash.restore(ids, { signal }),
      observe: async () => null,
      state: stateOfTrash,
    }),
    empty: ownerStep(ownerOf, {
      name: 'empty',
      title: ({ ids }: TrashArgs) =>
        ids
          ? `Remove ${ids.length === 1 ? 'one thing' : `${ids.length} things`} of the trash`
          : 'Empty the trash',
      irreversible: 'what is removed is gone for good',
      preview: async (owner, { ids }) => [
        `Removes ${reachOf(await owner.preview((one) => one.trash.empty(ids)))}`,
      ],
      act: (owner, { ids }, signal) => owner.trash.empty(ids, { signal }),
      observe: async () => null,
      state: stateOfTrash,
    }),
  }
}

const most = 10_000

/** Both steps take entries out of the trash: a missing entry was restored or removed. */
async function stateOfTrash(owner: Owner, { ids }: TrashArgs): Promise<StepState> {
  const { items, total } = await owner.trash.list({ perPage: most })
  const left = new Set(items.map(({ id }) => id))
  const rest = ids?.filter((id) => left.has(id)).length ?? total
  if (rest === 0) return 'wanted'
  return rest === ids?.length ? 'before' : 'other'
}
