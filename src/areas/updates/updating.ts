import { change, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import { Unavailable } from '../../core/problem.ts'
import { type UpdatesArea, work } from './context.ts'
import { Updated, UpdateRequest } from './model.ts'
import { UpdatesRunning } from './problems.ts'

const updatesLock = singleLock('updates')

/** Fetches the package lists, or installs updates, one at a time. */
export const updating = work({
  kind: 'updates.run',
  input: UpdateRequest,
  reply: Updated,
  timeoutMs: 7_200_000,
  attempts: 1,
  resumes: false,
  single: UpdatesRunning,
  decide: async ({ input: { action }, updates }) => {
    await assertCanUpdate(updates)
    return action === 'refresh' ? refreshing(updates) : installing(updates, action === 'install_security')
  },
})

const refreshing = ({ fetchLists }: UpdatesArea) =>
  change({
    summary: 'Fetch the package lists',
    locks: [updatesLock],
    steps: [step(fetchLists, null)],
    reply: { packages: [] },
  })

/** Decides on the lists that were fetched last; a version that has appeared since is installed instead. */
async function installing({ packages, installUpdates }: UpdatesArea, isSecurityOnly: boolean) {
  const [pending, unfinished] = await Promise.all([packages.updates(), packages.unfinished()])
  const chosen = pending.flatMap(({ name, current, candidate, isSecurity, isHeld, isKeptBack }) => {
    const isChosen = !isHeld && !isKeptBack && (isSecurity || !isSecurityOnly)
    // a new package comes with the update that needs it, and is removed again with that one
    return isChosen && current !== null ? [{ name, current, candidate }] : []
  })
  const isNeeded = chosen.length > 0 || unfinished.length > 0
  return change({
    summary: isSecurityOnly ? 'Install the security updates' : 'Install the updates',
    locks: [updatesLock],
    steps: isNeeded ? [step(installUpdates, { updates: chosen, unfinished })] : [],
    details: isNeeded ? [] : ['No updates are pending'],
    reply: { packages: chosen.map(({ name }) => name) },
  })
}

async function assertCanUpdate({ packages, machine }: UpdatesArea): Promise<void> {
  const { kind, healthy, reason } = await packages.detect()
  if (kind !== 'apt' || !healthy) throw Unavailable(reason ?? 'updates need apt')
  if (!machine.process().is_root) throw Unavailable('the panel does not run as root, which apt requires')
}
