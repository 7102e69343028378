import { globSync, readFileSync } from 'node:fs'
import type { Script } from '../../../host/testing/scripted-run.ts'
import type { RsyslogOptions } from '../index.ts'

/** rsyslog in memory: it accepts every file without `refuse-me`, and has the ports that are not in `held`. */
export interface StandInRsyslog {
  readonly options: RsyslogOptions
  readonly script: Script
  /** `protocol/port` of other programs. */
  readonly held: Set<string>
  starts: number
  /** The directory of its files on this machine, as the last check named it. */
  live: string
}

/** Opens rsyslog in memory. */
export function standInRsyslog(): StandInRsyslog {
  const held = new Set<string>()
  const rsyslog = { held, own: new Set<string>(), starts: 0, live: '' }
  let startedAt = Date.now()
  const options: RsyslogOptions = {
    isBound: async (protocol, port) =>
      held.has(`${protocol}/${port}`) || rsyslog.own.has(`${protocol}/${port}`),
    startedAt: async () => startedAt,
    restart: async () => {
      rsyslog.starts += 1
      const inputs = textsIn(rsyslog.live)
        .join('\n')
        .matchAll(/^input\(type="im(\w+)" port="(\d+)"/gm)
      rsyslog.own = new Set([...inputs].map(([, protocol, port]) => `${protocol}/${port}`))
      startedAt = Math.max(Date.now(), startedAt) + 10
    },
  }
  const script: Script = (argv) => {
    if (argv[0] !== 'bwrap' || !argv.includes('rsyslogd')) return undefined
    const folder = argv[argv.indexOf('--ro-bind') + 1] ?? ''
    rsyslog.live = argv[argv.indexOf('--ro-bind') + 2] ?? ''
    const isRefused = textsIn(folder).some((content) => content.includes('refuse-me'))
    return isRefused ? { code: 1, stderr: 'rsyslogd: error during parsing file 30-hostreeve' } : {}
  }
  return Object.assign(rsyslog, { options, script })
}

const textsIn = (folder: string): readonly string[] =>
  globSync(`${folder}/*.conf`).map((path) => readFileSync(path, 'utf8'))
