import type { Detected } from '../core/area.ts'
import type { Found } from '../core/tool.ts'
import type { Host } from '../host/index.ts'
import { shareInProgress } from './detection.ts'
import { lock } from '../core/lock.ts'

/** Receives the progress of a removal. */
export interface Removing {
  readonly signal: AbortSignal
  progress(percent: null, message: string): unknown
  output(line: string): void
}

/** A program that the panel manages and can install. */
export interface Program {
  readonly name: string
  /** Its Debian packages. */
  readonly packages: readonly string[]
  /** Where it keeps its data; an installation that is undone removes those that it has created. */
  readonly dataDirectories: readonly string[]
  detect(): Promise<Detected>
  /** Prepares the installed program for the panel. */
  setUp(): Promise<void>
  /** Removes its packages and keeps their configuration. */
  remove(removing: Removing): Promise<void>
}

/** A program that is being installed or removed, by name. */
export const programLock = lock('program')

interface ProgramParts {
  readonly name: string
  readonly packages: readonly string[]
  readonly dataDirectories?: readonly string[]
  readonly detect: () => Promise<Found>
  readonly setUp: () => Promise<unknown>
  /**
   * True if the areas that depend on the program also work without it, except for the limitation that the
   * reason states.
   */
  readonly isOptional?: boolean
}

/** Builds a program from a tool's detection and set-up. */
export function programOf(
  host: Host,
  { name, packages, dataDirectories = [], detect, setUp, isOptional = false }: ProgramParts,
): Program {
  return {
    name,
    packages,
    dataDirectories,
    detect: shareInProgress(async () => {
      const found = await detect()
      if (isOptional)
        return {
          program: name,
          ...found,
          healthy: true,
          installable: !found.present && (await canInstall(host)),
        }
      const seen = withoutRoot(found)
      return {
        program: name,
        ...seen,
        installable: !seen.healthy && (seen.present ? isRoot() : await canInstall(host)),
      }
    }),
    setUp: async () => void (await setUp()),
    remove: ({ signal, progress, output }) =>
      host.packages.remove(packages, {
        signal,
        onProgress: (line) => void progress(null, line),
        onLine: output,
      }),
  }
}

/**
 * Without root, much of a program's state is invisible and none of it can be changed: the missing privilege
 * is then the reason, not a guessed one.
 */
function withoutRoot(found: Found): Found {
  return found.present && !isRoot()
    ? { ...found, healthy: false, reason: 'the panel does not run as root' }
    : found
}

async function canInstall({ packages }: Host): Promise<boolean> {
  return isRoot() && (await packages.detect()).healthy
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}
