import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHost, type Host } from '../../host/index.ts'
import { run } from '../../host/run.ts'
import type { Haproxy, HaproxyLayout, HaproxyStarter } from './index.ts'
import { openHaproxy } from './index.ts'
import { alertsOf } from './start.ts'

/** A real HAProxy of a test, with everything it owns in one temporary directory and on ports of loopback. */
export interface ScratchHaproxy {
  readonly directory: string
  readonly host: Host
  readonly layout: HaproxyLayout
  readonly haproxy: Haproxy
  readonly starter: HaproxyStarter
  read(): Promise<string>
  stop(): Promise<void>
}

/** Why tests with the real HAProxy are left out here; false when they run. */
export async function whyWithoutHaproxy(): Promise<string | false> {
  return (await run(['haproxy', '-v'])).code === 0 ? false : 'haproxy is not installed'
}

/** Starts a HAProxy under a master, as systemd does, or as an init script does. `${socket}` in the text is the place of its stats socket. */
export async function startScratchHaproxy(text: string, { hasMaster = true } = {}): Promise<ScratchHaproxy> {
  const directory = await mkdtemp(join(tmpdir(), 'hh-'))
  const layout: HaproxyLayout = {
    configPath: `${directory}/etc/haproxy.cfg`,
    certificatesDirectory: `${directory}/etc/certs`,
    backupsDirectory: `${directory}/backups`,
    masterSocketPath: `${directory}/master.sock`,
    pidPath: `${directory}/haproxy.pid`,
    service: 'haproxy',
  }
  await mkdir(`${directory}/etc`)
  await writeFile(layout.configPath, text.replaceAll('${socket}', `${directory}/admin.sock`))
  const logPath = `${directory}/log`
  const stop = hasMaster ? await startMaster(layout, logPath) : await startDaemon(layout)
  const pids = async () => (await readFile(layout.pidPath, 'utf8')).trim().split('\n')
  const starter: HaproxyStarter = {
    reload: async () => {
      const { code, stderr } = await run(['haproxy', '-f', layout.configPath, '-p', layout.pidPath, '-D', '-sf', ...(await pids())])
      if (code !== 0) throw new Error(alertsOf(stderr) || stderr)
    },
    complaints: async () => alertsOf((await readFile(logPath, 'utf8')).split('Reloading HAProxy').at(-1) ?? ''),
  }
  const host = openHost()
  const haproxy = openHaproxy(host, { layout, starter })
  await until(async () => (await haproxy.stats()) !== undefined)
  return {
    directory,
    host,
    layout,
    haproxy,
    starter,
    read: () => readFile(layout.configPath, 'utf8'),
    stop: () => stop().then(() => rm(directory, { recursive: true, force: true })),
  }
}

async function startMaster(layout: HaproxyLayout, logPath: string): Promise<() => Promise<void>> {
  const log = openSync(logPath, 'a')
  const child = spawn('haproxy', ['-W', '-f', layout.configPath, '-p', layout.pidPath, '-S', layout.masterSocketPath], {
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const ended = once(child, 'exit')
  return async () => {
    child.kill('SIGTERM')
    await ended
  }
}

async function startDaemon(layout: HaproxyLayout): Promise<() => Promise<void>> {
  const { code, stderr } = await run(['haproxy', '-f', layout.configPath, '-p', layout.pidPath, '-D'])
  if (code !== 0) throw new Error(stderr)
  return async () => {
    for (const pid of (await readFile(layout.pidPath, 'utf8')).trim().split('\n')) process.kill(Number(pid), 'SIGTERM')
  }
}

/** Polls a condition for at most five seconds. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 5000
  while (!(await condition())) {
    if (performance.now() > end) throw new Error('it did not come to that within 5 s')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Ports of loopback that were free a moment ago. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
