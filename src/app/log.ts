import { writeSync } from 'node:fs'
import pino from 'pino'

/** The panel's log: one JSON object a line on standard output, for journald or a file. Secrets never reach it. */
export function openLog(level: string) {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write: writeOrDrop })
}

// A full disk costs lines of the log, never the panel: pino's own destination ends the process on ENOSPC and then hangs at its exit.
function writeOrDrop(line: string): void {
  try {
    writeSync(1, line)
  } catch {
    // there is nowhere left to say so
  }
}
