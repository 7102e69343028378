import { BodyMemory } from './body-memory.ts'

/** Limits for receiving request bodies. */
export interface IntakeOptions {
  /** A body that is not an upload must arrive within this time. Default 30 s. */
  readonly timeoutMs?: number
  /** An upload is given up if it is being read and nothing arrives for this time. Default 60 s. */
  readonly stalledMs?: number
  /**
   * After an early response the rest of a body is drained for this time; then the connection is closed.
   * Default 30 s.
   */
  readonly lingerMs?: number
  /** The total size of bodies in memory whose callers are known. Default 96 MiB. */
  readonly memoryBytes?: number
  /** The total size of bodies in memory whose callers are unknown. Default 8 MiB. */
  readonly openMemoryBytes?: number
}

/**
 * The limits for receiving request bodies, and the bodies in memory. Known callers have a limit of their own.
 */
export interface Intake {
  readonly timeoutMs: number
  readonly stalledMs: number
  readonly lingerMs: number
  readonly memory: BodyMemory
  readonly openMemory: BodyMemory
}

const MiB = 1024 * 1024

/** Fills in the defaults. */
export function openIntake(options: IntakeOptions = {}): Intake {
  return {
    timeoutMs: options.timeoutMs ?? 30_000,
    stalledMs: options.stalledMs ?? 60_000,
    lingerMs: options.lingerMs ?? 30_000,
    memory: new BodyMemory(options.memoryBytes ?? 96 * MiB),
    openMemory: new BodyMemory(options.openMemoryBytes ?? 8 * MiB),
  }
}
