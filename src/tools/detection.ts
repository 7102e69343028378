import type { RunResult } from '../host/run.ts'

/**
 * Shares the result of a detection in progress with all concurrent callers: a burst of requests starts one
 * process.
 */
export function shareInProgress<Found>(detect: () => Promise<Found>): () => Promise<Found> {
  let underWay: Promise<Found> | undefined
  return () =>
    (underWay ??= detect().finally(() => {
      underWay = undefined
    }))
}

/**
 * Returns the version that a program printed; undefined only for exit code 127 (missing program). A program
 * that failed or timed out is installed, and its version is unknown.
 */
export function versionIn({ code, stdout, stderr }: RunResult, pattern: RegExp): string | undefined {
  if (code === 127) return undefined
  return pattern.exec(`${stdout}\n${stderr}`)?.[1] ?? 'unknown'
}
