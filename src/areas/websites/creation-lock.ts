import type { Caller } from '../../core/caller.ts'
import { type Change, change } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import { Forbidden } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import type { Websites } from './context.ts'
import { websiteCreation } from './store.ts'

const creationLock = singleLock('website-creation')

/** Returns whether only superusers may create websites. */
export async function readCreationLock({ queries }: Websites) {
  return { locked: (await queries.creation()).is_locked === 1 }
}

/** Lets everybody with the permission create websites, or superusers alone. */
export async function setCreationLock(
  { queries }: Websites,
  { locked }: { readonly locked: boolean },
): Promise<Change<{ success: true }>> {
  return change({
    summary: locked ? 'Lock the creation of websites' : 'Unlock the creation of websites',
    locks: [creationLock],
    rows: [websiteCreation.update(await queries.creation(), { is_locked: locked })],
    reply: success,
  })
}

/** Fails with 403 for all but superusers and the server that websites come from, while their creation is locked. */
export async function assertMayCreate({ queries }: Websites, { user, isMirrored }: Caller): Promise<void> {
  if (!user.isAdmin && isMirrored !== true && (await queries.creation()).is_locked === 1)
    throw Forbidden('The creation of websites is locked: ask an administrator')
}
