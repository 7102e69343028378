import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { freePorts } from '../../../../test/support/free-ports.ts'
import { poll } from '../../../core/poll.ts'
import { run } from '../../../host/run.ts'
import { configurationPath } from '../layout.ts'

/** A PowerDNS of its own on loopback, with its zones in SQLite. */
export interface ScratchPowerdns {
  readonly apiPort: number
  readonly dnsPort: number
  /** The folder of its configuration, for pdnsutil. */
  readonly folder: string
  /** Writes the configuration by which a panel with this root reaches it. */
  serveTo(root: string): void
  /** Asks it for records; each as `dig +short` prints it, sorted. */
  dig(name: string, type: string): Promise<readonly string[]>
  stop(): Promise<void>
}

const key = 'key-of-the-scratch-powerdns'
const schemaPath = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql'

/** Starts PowerDNS; needs the packages pdns-server, pdns-backend-sqlite3 and bind9-dnsutils. */
export async function startPowerdns(settings: readonly string[] = []): Promise<ScratchPowerdns> {
  const folder = mkdtempSync('/tmp/hostreeve-powerdns-')
  const database = new DatabaseSync(`${folder}/zones.db`)
  database.exec(readFileSync(schemaPath, 'utf8'))
  database.close()
  const [apiPort, dnsPort] = (await freePorts(2)) as [number, number]
  writeFileSync(`${folder}/pdns.conf`, configuration({ folder, apiPort, dnsPort, settings }))
  const server = spawn(
    'pdns_server',
    [`--config-dir=${folder}`, '--daemon=no', '--guardian=no', '--write-pid=no'],
    { stdio: 'ignore' },
  )
  const ended = once(server, 'exit')
  const isReady = await poll(() => answers(apiPort), { limitMs: 60_000, everyMs: 50 })
  if (!isReady) throw new Error('PowerDNS did not start')
  return {
    apiPort,
    dnsPort,
    folder,
    serveTo: (root) => {
      const path = `${root}${configurationPath}`
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, `api-key=${key}\nwebserver-port=${apiPort}\nlocal-port=${dnsPort}\n`)
    },
    dig: async (name, type) => {
      const { stdout } = await run(
        ['dig', '+short', '+tries=1', '+time=5', '@127.0.0.1', '-p', String(dnsPort), name, type],
        { timeoutMs: 60_000 },
      )
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .toSorted()
    },
    stop: async () => {
      server.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Scratch {
  readonly folder: string
  readonly apiPort: number
  readonly dnsPort: number
  readonly settings: readonly string[]
}

const configuration = ({ folder, apiPort, dnsPort, settings }: Scratch): string => `launch=gsqlite3
gsqlite3-database=${folder}/zones.db
gsqlite3-dnssec=yes
gsqlite3-pragma-synchronous=0
local-address=127.0.0.1
local-port=${dnsPort}
socket-dir=${folder}
api=yes
api-key=${key}
webserver=yes
webserver-address=127.0.0.1
webserver-port=${apiPort}
webserver-max-bodysize=64
webserver-loglevel=none
zone-cache-refresh-interval=0
enable-lua-records=yes
default-soa-content=ns1.@ hostmaster.@ 0 10800 3600 604800 3600
security-poll-suffix=
disable-syslog=yes
${settings.join('\n')}
`

const answers = (port: number) =>
  fetch(`http://127.0.0.1:${port}/api/v1/servers/localhost`, { headers: { 'X-API-Key': key } }).then(
    ({ ok }) => ok || undefined,
    () => undefined,
  )
