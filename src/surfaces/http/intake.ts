import { BodyMemory } from './body-memory.ts'

/** Limits of how request bodies are taken in. */
export interface IntakeOptions {
  /** Within this a body that is no upload must have arrived. Default 30 s. */
  readonly timeoutMs?: number
  /** An upload of which nothing arrives for so long, although it is waited for, is given up. Default 60 s. */
  readonly stalledMs?: number
  /** For so long the rest of a body is dropped after an early answer; then the connection is closed. Default 30 s. */
  readonly lingerMs?: number
  /** Bytes of all bodies in memory whose callers are known. Default 96 MiB. */
  readonly memoryBytes?: number
  /** Bytes of all bodies in memory whose callers are unknown. Default 8 MiB. */
  readonly openMemoryBytes?: number
}

/** How request bodies are taken in, and how much of them is in memory. Known callers have room of their own. */
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
