import { readFileSync } from 'node:fs'
import type { Script } from '../../../host/testing/scripted-run.ts'

/** rsyslogd as it checks a file: it refuses one that names a forbidden server. */
export const scriptRsyslogd =
  (forbidden: () => string = () => 'refused.example.com'): Script =>
  ([program, ...args]) => {
    if (program !== 'rsyslogd') return undefined
    const path = args.at(-1) ?? ''
    return readFileSync(path, 'utf8').includes(forbidden())
      ? { code: 1, stderr: `rsyslogd: error during parsing file ${path}` }
      : {}
  }
