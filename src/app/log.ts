import pino from 'pino'

/** The panel's log: one JSON object a line on standard output, for journald or a file. Secrets never reach it. */
export function openLog(level: string) {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ fd: 1, sync: false, minLength: 0 }))
}
