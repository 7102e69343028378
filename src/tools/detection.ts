import type { RunResult } from '../host/run.ts'

/** Lets all callers that ask while a detection is under way share its result: a burst of requests starts one process. */
export function shareUnderWay<Found>(detect: () => Promise<Found>): () => Promise<Found> {
  let underWay: Promise<Found> | undefined
  return () =>
    (underWay ??= detect().finally(() => {
      underWay = undefined
    }))
}

/**
 * The version that a program printed. Undefined only for exit code 127, a missing program: one that failed or did not
 * answer in time is installed, and its version is unknown.
 */
export function versionIn({ code, stdout, stderr }: RunResult, pattern: RegExp): string | undefined {
  if (code === 127) return undefined
  return pattern.exec(`${stdout}\n${stderr}`)?.[1] ?? 'unknown'
}
