import type { NginxParts } from './parts.ts'

const keptDays = 90
const mostArchives = 200
const dayMs = 86_400_000

/**
 * Removes the logs of sites that were deleted more than 90 days ago, and the oldest ones beyond 200 sites.
 * Logs that have only expired are removed in daily portions, and not at all while the time is unknown, so
 * that a wrong clock does not delete all of them.
 */
export async function pruneDeletedLogs(
  { host: { files }, layout }: NginxParts,
  now: Date | undefined,
): Promise<{ readonly removed: number }> {
  const archives: { readonly path: string; readonly at: number }[] = []
  for (const name of await files.list(layout.deletedLogsDirectory)) {
    const path = `${layout.deletedLogsDirectory}/${name}`
    archives.push({ path, at: (await files.changedAt(path))?.getTime() ?? 0 })
  }
  archives.sort((one, other) => one.at - other.at)
  const tooMany = archives.slice(0, Math.max(0, archives.length - mostArchives))
  const isOld = ({ at }: { readonly at: number }) =>
    now !== undefined && now.getTime() - at > keptDays * dayMs
  const tooOld = archives.slice(tooMany.length).filter(isOld)
  const removed = [...tooMany, ...tooOld.slice(0, Math.ceil(archives.length / keptDays))]
  for (const { path } of removed) await files.removeTree(path)
  return { removed: removed.length }
}
