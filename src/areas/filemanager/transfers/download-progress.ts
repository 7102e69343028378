import type { StepRun } from '../../../core/change.ts'

const units = ['B', 'KiB', 'MiB', 'GiB']
const reportEveryMs = 300

/** Returns what reports the progress of a download, a few times a second at most. */
export function reportProgress(
  progress: StepRun<unknown>['progress'],
): (endBytes: number, sizeBytes: number | undefined) => void {
  let reportedAt = 0
  return (end, size) => {
    if (performance.now() - reportedAt < reportEveryMs && end !== size) return
    reportedAt = performance.now()
    const message = `${sizeMessage(end)}${size === undefined ? '' : ` of ${sizeMessage(size)}`}`
    progress(size === undefined || size === 0 ? null : Math.floor((end / size) * 99), message)
  }
}

/** Formats a size with a suitable unit: 6144 is 6.0 KiB. */
function sizeMessage(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}
