import type { Logstore } from './context.ts'
import type { LogstoreStats, LogstoreStatus } from './model.ts'

const mostReason = 2000

/** True if OpenSearch is on this host, or in a cluster elsewhere. */
export const isPresent = async ({ opensearch }: Pick<Logstore, 'opensearch'>): Promise<boolean> =>
  opensearch.isCluster() || (await opensearch.detect()).present

/** Reads whether the log store is installed, runs and answers. */
export async function readStatus({ opensearch, rsyslog }: Logstore): Promise<LogstoreStatus> {
  const [found, daemon] = await Promise.all([opensearch.detect(), rsyslog.detect()])
  const { version } = found
  const queued_bytes = await rsyslog.queuedBytes()
  const present = await isPresent({ opensearch })
  const missing = present ? daemon.reason : found.reason
  if (!present || !daemon.present)
    return {
      installed: false,
      running: false,
      answering: false,
      receiving: false,
      version,
      reason: missing,
      queued_bytes,
    }
  const running = await opensearch.isRunning()
  const receiving = await rsyslog.isRunning()
  const failure = await opensearch.ping().then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, mostReason),
  )
  const reason = failure ?? (receiving ? null : 'rsyslog does not run')
  return { installed: true, running, answering: failure === null, receiving, version, reason, queued_bytes }
}

/** Counts the lines by day, and reads how full the disk is. */
export async function readStats({ opensearch, rsyslog }: Logstore): Promise<LogstoreStats> {
  const days = await opensearch.listDays()
  const { totalBytes, availableBytes, heapPercent } = await opensearch.readDisk()
  const sum = (of: (day: (typeof days)[number]) => number) => days.reduce((total, day) => total + of(day), 0)
  return {
    documents: sum((day) => day.documents),
    size_bytes: sum((day) => day.sizeBytes),
    preserved: await opensearch.countPreserved(),
    disk_total_bytes: totalBytes,
    disk_used_percent: usedPercent(totalBytes, availableBytes),
    heap_used_percent: Math.max(0, heapPercent),
    queued_bytes: await rsyslog.queuedBytes(),
    days: days
      .map(({ day, documents, sizeBytes }) => ({ day, documents, size_bytes: sizeBytes }))
      .toReversed(),
  }
}

/** The used part of a disk; 0 for one of unknown size. */
export const usedPercent = (totalBytes: number, availableBytes: number): number =>
  totalBytes === 0 ? 0 : Math.max(0, Math.round(((totalBytes - availableBytes) / totalBytes) * 100))
