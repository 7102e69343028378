import { existsSync, readFileSync } from 'node:fs'
import type { Script } from '../../../host/testing/scripted-run.ts'
import { parseVariables } from '../configured.ts'
import { optionIn } from '../option-file.ts'
import { optionsPath } from '../set-options.ts'
import type { StandInServer } from './stand-in.ts'

/** The options of Debian's server, by their names as the dry run prints them. */
const defaults: Readonly<Record<string, string>> = {
  'bind-address': '127.0.0.1',
  datadir: '/var/lib/mysql/',
  'gtid-strict-mode': 'FALSE',
  'innodb-buffer-pool-size': '134217728',
  'innodb-log-buffer-size': '16777216',
  'log-bin': '(No default value)',
  'log-output': 'FILE',
  'log-slave-updates': 'FALSE',
  'long-query-time': '10',
  'max-connections': '151',
  'max-heap-table-size': '16777216',
  port: '3306',
  'read-only': 'FALSE',
  'server-id': '1',
  'skip-networking': 'FALSE',
  'slave-skip-errors': 'OFF',
  'slow-query-log': 'FALSE',
  'slow-query-log-file': 'web1-slow.log',
  'ssl-cert': '(No default value)',
  'ssl-key': '(No default value)',
  'table-open-cache': '2000',
  'thread-cache-size': '256',
  'tmp-table-size': '16777216',
}

/**
 * Answers the dry run of the server by the panel's file, and restarts of the service: the running server then has
 * those values. It refuses a text that contains `forbidden`, and does not start with one that contains `mortal`.
 */
export function scriptMariadbd(server: StandInServer, root: () => string): Script {
  const dryRun = (candidate?: string) => {
    const files = [`${root()}${optionsPath}`, ...(candidate === undefined ? [] : [candidate])]
    const texts = files.map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : ''))
    if (texts.some((text) => text.includes('forbidden')))
      return { code: 7, stderr: "2026-11-27 23:38:21 0 [ERROR] mariadbd: unknown variable 'forbidden=1'\n" }
    const value = (name: string) => {
      const written = texts.map((text) => optionIn(text, name.replaceAll('-', '_')))
      return written.findLast((each) => each !== undefined) ?? server.overrides.get(name) ?? defaults[name]
    }
    const lines = Object.keys(defaults).map((name) => `${name.padEnd(60)} ${value(name)}`)
    return { stdout: `Usage\n\nVariables (--variable-name=value)\n${'-'.repeat(60)}\n${lines.join('\n')}\n` }
  }
  return (argv) => {
    const [program, verb] = [argv[0], argv[2]]
    if (program === 'journalctl') return { stdout: 'a note\n0 [ERROR] Can not start: mortal\n' }
    if (program === 'mariadbd') return dryRun(argv.find((each) => each.startsWith('--defaults-'))?.slice(22))
    if (program !== 'systemctl' || argv.at(-1) !== 'mariadb.service') return undefined
    if (argv[1] === 'reset-failed') return {}
    if (verb !== 'restart' && verb !== 'start') return undefined
    const text = dryRun().stdout ?? ''
    server.isDown = text.includes('mortal')
    if (server.isDown) return { code: 1, stderr: 'Job for mariadb.service failed' }
    server.restarts++
    server.variables = new Map([...parseVariables(text)].map(asShown))
    return undefined
  }
}

/** The running server shows whether it has a binary log, not its name. */
const asShown = ([name, value]: readonly [string, string]): [string, string] => [
  name,
  name === 'log_bin' ? (value === '' ? 'OFF' : 'ON') : value,
]
