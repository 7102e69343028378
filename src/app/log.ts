import { writeSync } from 'node:fs'
import pino from 'pino'

/** The panel's log: one JSON object a line on standard output, for journald or a file; text in a terminal. Secrets never reach it. */
export function openLog(level: string, isTerminal: boolean = process.stdout.isTTY === true) {
  const write = inBatches(isTerminal ? (line) => textOf(line) : (line) => line)
  return pino({ level, base: null, timestamp: isoTime() }, { write })
}

/** Writes the lines of one turn of the event loop together; `exit` is emitted after uncaught errors too. */
function inBatches(format: (line: string) => string): (line: string) => void {
  let lines = ''
  const flush = () => {
    const batch = lines
    lines = ''
    if (batch !== '') writeOrDrop(batch)
  }
  process.on('exit', flush)
  return (line) => {
    if (lines === '') setImmediate(flush)
    lines += format(line)
  }
}

/** Returns pino's field of the time, formatted once for all lines of a millisecond: under load it is a twentieth of a request. */
function isoTime(): () => string {
  let formatted = ''
  let at = Number.NaN
  return () => {
    const now = Date.now()
    if (now === at) return formatted
    at = now
    return (formatted = `,"time":"${new Date(now).toISOString()}"`)
  }
}

/** `12:00:01 warn  cannot watch HAProxy {"err":{…}}` */
function textOf(line: string): string {
  const { time, level, msg, ...fields } = JSON.parse(line) as Readonly<Record<string, unknown>>
  const name = pino.levels.labels[Number(level)] ?? String(level)
  const rest = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`
  return `${String(time).slice(11, 19)} ${name.padEnd(5)} ${String(msg)}${rest}\n`
}

// A full disk costs lines of the log, never the panel: pino's own destination ends the process on ENOSPC and then hangs at its exit.
function writeOrDrop(line: string): void {
  try {
    writeSync(1, line)
  } catch {
    // there is nowhere left to report it
  }
}
