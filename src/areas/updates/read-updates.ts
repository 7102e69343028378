import type { Host } from '../../host/index.ts'
import type { PendingUpdate } from '../../host/updates.ts'
import type { Update, Updates } from './model.ts'
import { newerKernel } from './newer-kernel.ts'

// written by the scripts of packages, with the help of update-notifier-common or unattended-upgrades
const rebootPath = '/run/reboot-required'
const rebootPackagesPath = `${rebootPath}.pkgs`

export const stampFolder = '/var/lib/apt/periodic'

/** Its time is that of the last complete `apt-get update` (apt's `APT::Periodic`, and the panel). */
export const stampPath = `${stampFolder}/update-success-stamp`
const listsPath = '/var/lib/apt/lists'

type UpdatesHost = Pick<Host, 'packages' | 'files'>

/** What apt and dpkg say of updates, for which apt takes seconds. */
export interface Pending {
  readonly updates: readonly PendingUpdate[]
  readonly unfinished: readonly string[]
}

// dpkg keeps its changes in `updates` until it merges them into `status`
const statePaths = ['/var/lib/dpkg/status', '/var/lib/dpkg/updates', listsPath, stampPath]
const keptMs = 10 * 60_000

/**
 * Returns a reader of the pending updates, which asks apt again only after dpkg or the lists have changed, or
 * after ten minutes, as its configuration may have changed too. Callers at the same time share one reading.
 */
export function pendingReader({ packages, files }: UpdatesHost): () => Promise<Pending> {
  let known:
    | { readonly state: string; readonly readAt: number; readonly pending: Promise<Pending> }
    | undefined
  const read = async (): Promise<Pending> => {
    const [updates, unfinished] = await Promise.all([packages.updates(), packages.unfinished()])
    return { updates, unfinished }
  }
  return async () => {
    const times = await Promise.all(statePaths.map((path) => files.changedAt(path)))
    if (times[0] === undefined) return read() // dpkg keeps its state elsewhere
    const state = times.map((time) => time?.getTime()).join()
    if (known?.state === state && performance.now() - known.readAt < keptMs) return known.pending
    const pending = read()
    known = { state, readAt: performance.now(), pending }
    pending.catch(() => (known = known?.pending === pending ? undefined : known)) // a failure is not kept
    return pending
  }
}

/** Reads what is pending, what waits for a restart of the host, and when the lists were fetched. */
export async function readUpdates(
  readPending: () => Promise<Pending>,
  { files, machine }: Pick<Host, 'files' | 'machine'>,
): Promise<Updates> {
  const [{ updates, unfinished }, kernel, reboot, rebootPackages, ...fetched] = await Promise.all([
    readPending(),
    newerKernel({ files, machine }),
    files.facts(rebootPath),
    files.read(rebootPackagesPath),
    files.changedAt(stampPath),
    files.changedAt(listsPath), // lists that were fetched without the panel
  ])
  const times = fetched.flatMap((time) => (time === undefined ? [] : [time.getTime()]))
  return {
    updates: updates.map(updateOf).toSorted(securityFirst),
    unfinished: [...unfinished],
    reboot_required: reboot !== undefined || kernel !== undefined,
    reboot_packages: [...new Set([...(rebootPackages ?? '').split('\n'), kernel ?? ''])]
      .filter(Boolean)
      .sort()
      .slice(0, 1000),
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
