import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHost, type Host } from '../../../host/index.ts'
import { run } from '../../../host/run.ts'
import type { Haproxy, HaproxyLayout, HaproxyOptions, HaproxyStarter } from '../index.ts'
import { haproxy as haproxyTool } from '../index.ts'
import { alertsOf } from '../start.ts'
import { until } from '../../../../test/support/until.ts'

/** A real HAProxy for a test, with all its files in one temporary directory and on loopback ports. */
export interface ScratchHaproxy {
  readonly directory: string
  readonly host: Host
  readonly layout: HaproxyLayout
  readonly haproxy: Haproxy
  readonly starter: HaproxyStarter
  /** The options with which a panel under test manages this HAProxy. */
  readonly options: HaproxyOptions
  read(): Promise<string>
  /** Kills it with all its processes, as a power failure does; `starter.start` starts it again. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** The head of a scratch configuration: its socket, and HTTP mode with short timeouts. */
export const scratchHead = `global
  stats socket \${socket} mode 600 level admin
defaults
  mode http
  timeout connect 60s
  timeout client 60s
  timeout server 60s
`

/** Returns why tests with the real HAProxy are skipped here; false when they run. */
export function haproxySkipReason(): string | false {
  return spawnSync('haproxy', ['-v']).status === 0 ? false : 'haproxy is not installed'
}

/**
 * Starts HAProxy under a master, as systemd does, or without one, as an init script does. `${socket}` in the
 * text is replaced by the path of its stats socket.
 */
export async function startScratchHaproxy(text: string, { hasMaster = true } = {}): Promise<ScratchHaproxy> {
  const directory = await mkdtemp(join(tmpdir(), 'hh-'))
  const layout = layoutIn(directory)
  await mkdir(`${directory}/etc`)
  await writeFile(layout.configPath, text.replaceAll('${socket}', `${directory}/admin.sock`))
  const logPath = `${directory}/log`
  const launch = () => (hasMaster ? startMaster(layout, logPath) : startDaemon(layout))
  let end = await launch()
  const serves = () => until(async () => (await haproxy.stats()) !== undefined)
  const starter: HaproxyStarter = {
    start: async () => {
      end = await launch()
      await serves()
    },
    stop: () => end('SIGTERM'),
    reload: async () => {
      const { code, stderr } = await run([
        'haproxy',
        '-f',
        layout.configPath,
        '-p',
        layout.pidPath,
        '-D',
        '-sf',
        ...(await pidsIn(layout)).map(String),
      ])
      if (code !== 0) throw new Error(alertsOf(stderr) || stderr)
    },
    errorsSince: async () =>
      alertsOf((await readFile(logPath, 'utf8')).split('Reloading HAProxy').at(-1) ?? ''),
  }
  const host = openHost()
  const options = { host, layout, starter }
  const haproxy = haproxyTool.open(host, options)
  await serves()
  return {
    directory,
    ...options,
    options,
    haproxy,
    read: () => readFile(layout.configPath, 'utf8'),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM').then(() => rm(directory, { recursive: true, force: true })),
  }
}

function layoutIn(directory: string): HaproxyLayout {
  return {
    configPath: `${directory}/etc/haproxy.cfg`,
    certificatesDirectory: `${directory}/etc/certs`,
    backupsDirectory: `${directory}/backups`,
    masterSocketPath: `${directory}/master.sock`,
    pidPath: `${directory}/haproxy.pid`,
    service: 'haproxy',
  }
}

type End = (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>

/** The workers end with the master unless it is killed: then they are ended by their own pids. */
async function startMaster(layout: HaproxyLayout, logPath: string): Promise<End> {
  const log = openSync(logPath, 'a')
  const child = spawn(
    'haproxy',
    ['-W', '-f', layout.configPath, '-p', layout.pidPath, '-S', layout.masterSocketPath],
    {
      stdio: ['ignore', log, log],
    },
  )
  closeSync(log)
  const ended = once(child, 'exit')
  return async (signal) => {
    const workers = signal === 'SIGKILL' ? await childrenOf(child.pid!) : []
    child.kill(signal)
    for (const pid of workers) signalIfThere(pid, signal)
    if (child.exitCode === null && child.signalCode === null) await ended
  }
}

async function startDaemon(layout: HaproxyLayout): Promise<End> {
  const { code, stderr } = await run(['haproxy', '-f', layout.configPath, '-p', layout.pidPath, '-D'])
  if (code !== 0) throw new Error(stderr)
  return async (signal) => {
    for (const pid of await pidsIn(layout)) signalIfThere(pid, signal)
  }
}

async function pidsIn({ pidPath }: HaproxyLayout): Promise<readonly number[]> {
  return (await readFile(pidPath, 'utf8')).trim().split('\n').map(Number)
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return children.split(' ').filter(Boolean).map(Number)
}

/** A process that has already ended needs no signal. */
function signalIfThere(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
