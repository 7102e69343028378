import type { Files } from '../../../host/files.ts'
import type { AccessRefused, AccessReport, SimulatedAccess } from '../access/ask.ts'
import type { Replaying } from '../access/replay.ts'
import { debianLayout, type NginxLayout } from '../layout.ts'
import type { NginxProgram } from '../program.ts'
import { parseGeneration } from '../render-own.ts'

/**
 * A stand-in for the running nginx, for tests of code that depends on it: it serves the content that its
 * files had at the last reload.
 */
export interface StandInNginx extends NginxProgram {
  /** Refuses every configuration from now on with this message; undefined accepts configurations again. */
  refuse(message: string | undefined): void
  readonly reloads: number
  /** What a simulation of access rules finds from now on; by default, no ruleset ends it. */
  simulates(found: SimulatedAccess | AccessRefused): void
  /** What it finds for a part of a log from now on; by default, nothing matches. */
  replays(found: (replaying: Replaying) => readonly string[]): void
  /** What it reports of access rules from now on; undefined is no answer. */
  reports(report: AccessReport | undefined): void
}

/**
 * Opens a running stand-in over the files of a temporary root. Pass it as `openTools(host, { nginx: { program
 * } })`.
 */
export function standInNginx(files: Files, layout: NginxLayout = debianLayout): StandInNginx {
  let served: Promise<string | undefined> = Promise.resolve(undefined)
  let refusal: string | undefined
  let reloads = 0
  let report: AccessReport | undefined
  let simulated: SimulatedAccess | AccessRefused = { path: '/', steps: [], problems: [] }
  let replayed = ({ requests }: Replaying): readonly string[] => requests.map(() => '')
  return {
    version: async () => '1.22.1',
    check: async () => ({ isAccepted: refusal === undefined, message: refusal ?? '', durationMs: 0 }),
    addresses: async () => [],
    master: async () => 4242,
    workers: async () => [],
    signalReload: () => {
      reloads++
      served = files.read(layout.generationPath)
    },
    served: async () => parseGeneration((await served) ?? ''),
    logMark: async () => 0,
    errorsSince: async () => [],
    removeStaleSocket: async () => {},
    accessReport: async () => report,
    simulateAccess: async () => simulated,
    replayAccess: async (replaying) => ({ verdicts: [...replayed(replaying)], problems: [] }),
    replays: (found) => {
      replayed = found
    },
    simulates: (found) => {
      simulated = found
    },
    reports: (next) => {
      report = next
    },
    refuse: (message) => {
      refusal = message
    },
    get reloads() {
      return reloads
    },
  }
}
