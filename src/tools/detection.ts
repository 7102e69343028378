import type { Found } from '../core/tool.ts'
import type { Host } from '../host/index.ts'
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

const limits = { timeoutMs: 5000, maxBytes: 64 * 1024 }

/** Detects a program by the version that it prints. */
export function detectByVersion(
  argv: readonly [string, ...string[]],
  pattern = /(\d+(?:\.\d+)+)/,
): (on: { readonly host: Pick<Host, 'run'> }) => Promise<Found> {
  return async ({ host }) => {
    const result = await host.run(argv, limits)
    const version = versionIn(result, pattern)
    if (version === undefined)
      return { present: false, version: null, healthy: false, reason: `${argv[0]} is not installed` }
    if (result.code === 0) return { present: true, version, healthy: true, reason: null }
    const reason = `${argv.join(' ')} ended with exit status ${result.code}`
    return { present: true, version, healthy: false, reason }
  }
}
