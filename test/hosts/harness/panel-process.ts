import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Host } from './host.ts'
import { poll } from './poll.ts'

/** How the panel is started and ended on a host: as a unit of systemd, or as a daemon where there is none. */
export interface PanelProcess {
  start(): Promise<void>
  /** Stops it gracefully; resolves when it has exited. */
  stop(): Promise<void>
  /** Kills it with SIGKILL, so that it settles nothing; resolves when it has exited. */
  kill(): Promise<void>
  isAlive(): Promise<boolean>
}

/** The command and its environment, which may contain secrets. */
export interface PanelProgram {
  readonly argv: readonly [string, ...string[]]
  readonly environment: Readonly<Record<string, string>>
}

/** The file on a host that receives the panel's stdout and stderr. */
export const panelLogPath = '/var/log/hostreeve-panel.log'

const unit = 'hostreeve.service'
const deliveredUnit = fileURLToPath(new URL('../../../deploy/hostreeve.service', import.meta.url))
const environmentPath = '/etc/hostreeve-panel.env'
const pidFile = '/run/hostreeve-panel.pid'
const endLimitMs = 120_000

/** Prepares the host to run the panel under its init system. */
export async function makePanelProcess(host: Host, program: PanelProgram): Promise<PanelProcess> {
  return host.init === 'systemd' ? unitProcess(host, program) : daemonProcess(host, program)
}

async function unitProcess(host: Host, program: PanelProgram): Promise<PanelProcess> {
  await writeInside(host, environmentPath, environmentFile(program.environment), 0o600)
  await writeInside(host, `/etc/systemd/system/${unit}`, await readFile(deliveredUnit, 'utf8'), 0o644)
  await writeInside(host, `/etc/systemd/system/${unit}.d/test.conf`, dropIn(program.argv), 0o644)
  await host.must(['systemctl', 'daemon-reload'])
  return installedUnit(host)
}

/** The panel whose unit is installed on a host. */
export function installedUnit(host: Host): PanelProcess {
  const isAlive = async () => (await host.exec(['systemctl', 'is-active', unit])).stdout.trim() === 'active'
  return {
    isAlive,
    start: async () => void (await host.must(['systemctl', 'start', unit])),
    stop: async () => void (await host.must(['systemctl', 'stop', unit], { timeoutMs: endLimitMs })),
    kill: async () => {
      await host.must(['systemctl', 'kill', '--signal=KILL', unit])
      await untilDead(isAlive)
    },
  }
}

async function daemonProcess(host: Host, program: PanelProgram): Promise<PanelProcess> {
  const [command, ...args] = program.argv
  const daemon = ['start-stop-daemon', '--pidfile', pidFile] as const
  const start = [
    ...daemon,
    '--start',
    '--background',
    '--make-pidfile',
    '--output',
    panelLogPath,
    '--startas',
    command,
    '--',
    ...args,
  ] as const
  return {
    isAlive: async () => (await host.exec([...daemon, '--status'])).code === 0,
    start: async () => void (await host.must(start, { env: program.environment })),
    stop: async () =>
      void (await host.must([...daemon, '--stop', '--retry', 'TERM/20/KILL/5'], { timeoutMs: endLimitMs })),
    kill: async () => void (await host.must([...daemon, '--stop', '--retry', 'KILL/5'])),
  }
}

/** Changes of the delivered unit what a test decides; its sandbox and its limits stay (systemd.unit(5), drop-ins). */
function dropIn(argv: readonly string[]): string {
  const service = [
    'ExecStart=', // an empty assignment resets a list
    `ExecStart=${argv.join(' ')}`,
    `EnvironmentFile=${environmentPath}`,
    `StandardOutput=append:${panelLogPath}`,
    `StandardError=append:${panelLogPath}`,
    'Restart=no', // a panel that ends is a result of the test
  ]
  return `[Unit]\nStartLimitIntervalSec=0\n\n[Service]\n${service.join('\n')}\n`
}

function environmentFile(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .map(([name, value]) => `${name}="${value.replace(/["\\]/g, '\\$&')}"\n`)
    .join('')
}

async function writeInside(host: Host, path: string, text: string, mode: number): Promise<void> {
  const outside = join(host.rootPath, path)
  await mkdir(dirname(outside), { recursive: true })
  await writeFile(outside, text, { mode })
  await chmod(outside, mode)
}

async function untilDead(isAlive: () => Promise<boolean>): Promise<void> {
  await poll('the panel to end', endLimitMs, async () => ((await isAlive()) ? undefined : true))
}
