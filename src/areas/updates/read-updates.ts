import type { Host } from '../../host/index.ts'
import type { PendingUpdate } from '../../host/updates.ts'
import type { Update, Updates } from './model.ts'

// written by the scripts of packages, with the help of update-notifier-common or unattended-upgrades
const rebootPath = '/run/reboot-required'
const rebootPackagesPath = `${rebootPath}.pkgs`

export const stampFolder = '/var/lib/apt/periodic'

/** Its time is that of the last complete `apt-get update` (apt's `APT::Periodic`, and the panel). */
export const stampPath = `${stampFolder}/update-success-stamp`
const listsPath = '/var/lib/apt/lists'

type UpdatesHost = Pick<Host, 'packages' | 'files'>

/** Reads what is pending, what waits for a restart of the host, and when the lists were fetched. */
export async function readUpdates({ packages, files }: UpdatesHost): Promise<Updates> {
  const [pending, unfinished, reboot, rebootPackages, ...fetched] = await Promise.all([
    packages.updates(),
    packages.unfinished(),
    files.facts(rebootPath),
    files.read(rebootPackagesPath),
    files.changedAt(stampPath),
    files.changedAt(listsPath), // lists that were fetched without the panel
  ])
  const times = fetched.flatMap((time) => (time === undefined ? [] : [time.getTime()]))
  return {
    updates: pending.map(updateOf).toSorted(securityFirst),
    unfinished: [...unfinished],
    reboot_required: reboot !== undefined,
    reboot_packages: [...new Set((rebootPackages ?? '').split('\n').filter(Boolean))].sort().slice(0, 1000),
    lists_fetched_at: times.length === 0 ? null : new Date(Math.max(...times)).toISOString(),
  }
}

const updateOf = ({ name, current, candidate, sources, ...is }: PendingUpdate): Update => ({
  package: name,
  current,
  candidate,
  source: sources.join(', ').slice(0, 1000),
  security: is.isSecurity,
  held: is.isHeld,
  kept_back: is.isKeptBack,
})

const securityFirst = (one: Update, other: Update): number =>
  Number(other.security) - Number(one.security) || (one.package < other.package ? -1 : 1)
