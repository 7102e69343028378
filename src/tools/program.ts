import type { Detected } from '../core/area.ts'
import type { Host } from '../host/index.ts'
import { shareUnderWay } from './detection.ts'

/** What a tool found of its program. */
export interface Found {
  readonly present: boolean
  readonly version: string | null
  readonly healthy: boolean
  readonly reason: string | null
}

/** Where an installation tells how far it is. */
export interface Installing {
  readonly signal: AbortSignal
  onProgress(percent: number | null, message: string): void
}

/** A program that the panel drives, and can install. */
export interface Program {
  readonly name: string
  detect(): Promise<Detected>
  /** Installs it with the package manager where it is missing, and sets it up for the panel. */
  install(installing: Installing): Promise<void>
}

interface ProgramParts {
  readonly name: string
  readonly packages: readonly string[]
  readonly detect: () => Promise<Found>
  readonly setUp: () => Promise<unknown>
  /** Whether the areas that name it work without it too, save for what its reason says. */
  readonly isOptional?: boolean
}

const phases = {
  lists: 'Reading the package lists',
  download: 'Downloading',
  install: 'Installing',
} as const

/** Makes a program of a tool's own detection and set-up. */
export function programOf(
  host: Host,
  { name, packages, detect, setUp, isOptional = false }: ProgramParts,
): Program {
  return {
    name,
    detect: shareUnderWay(async () => {
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
    install: async ({ signal, onProgress }) => {
      const report = ({
        phase,
        done,
        total,
      }: {
        readonly phase: keyof typeof phases
        readonly done: number
        readonly total: number
      }) => onProgress(Math.round((done / (total + 1)) * 100), `${phases[phase]}: ${packages.join(', ')}`)
      if (!(await detect()).present) await host.packages.install(packages, { signal, onProgress: report })
      onProgress(90, `Setting up ${name}`)
      await setUp()
    },
  }
}

/** Much of a program cannot be seen without root, and nothing of it can be changed: then that is the reason, not what was guessed. */
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
