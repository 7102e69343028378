import { existsSync } from 'node:fs'
import { open, readFile, readlink, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { basename } from 'node:path'
import { Unavailable } from '../../core/problem.ts'
import { absentAsEmpty, isAbsent } from '../../host/proc.ts'
import type { Run } from '../../host/run.ts'
import { shareInProgress, versionIn } from '../detection.ts'
import {
  type AccessRefused,
  type AccessReport,
  replay,
  reportOf,
  simulate,
  type SimulatedAccess,
  type SimulatedRequest,
} from './access/ask.ts'
import type { ListenAddress } from '../listen-addresses.ts'
import type { Replayed, Replaying } from './access/replay.ts'
import type { AccessRules } from './access/rules.ts'
import { addressesIn } from './addresses.ts'
import type { NginxLayout } from './layout.ts'

/** A file that is mounted over another while nginx checks the configuration. */
export interface Mount {
  readonly source: string
  readonly target: string
}

/** The running nginx and its command line. */
export interface NginxProgram {
  /** Undefined when nginx is not installed. */
  version(): Promise<string | undefined>
  check(
    mounts: readonly Mount[],
  ): Promise<{ readonly isAccepted: boolean; readonly message: string; readonly durationMs: number }>
  /** The addresses that its configuration has it listen on. */
  addresses(): Promise<readonly ListenAddress[]>
  /** The master's pid; undefined when nginx is not running. */
  master(): Promise<number | undefined>
  /** The pids of the workers that accept new connections. */
  workers(master: number): Promise<readonly number[]>
  signalReload(master: number): void
  /** The generation that the running nginx reports on a new connection; undefined when it does not answer. */
  served(): Promise<string | undefined>
  /**
   * Returns a position in the error log; `errorsSince` returns the fatal errors of the master since that
   * position.
   */
  logMark(): Promise<number>
  errorsSince(mark: number): Promise<readonly string[]>
  removeStaleSocket(): Promise<void>
  /** What the access rules that nginx has loaded for an owner are; undefined if it does not answer. */
  accessReport(owner: number): Promise<AccessReport | undefined>
  simulateAccess(rules: AccessRules, asked: SimulatedRequest): Promise<SimulatedAccess | AccessRefused>
  replayAccess(replaying: Replaying, signal: AbortSignal): Promise<Replayed>
}

/** Opens the nginx of this host. */
export function openProgram(run: Run, layout: NginxLayout): NginxProgram {
  return {
    version: shareInProgress(async () =>
      versionIn(await run(['nginx', '-v'], { timeoutMs: 5000 }), /nginx\/(\S+)/),
    ),
    check: (mounts) => check(run, layout, mounts),
    addresses: () => readAddresses(run, layout),
    master: () => findMaster(layout.pidPath),
    workers,
    signalReload: (master) => {
      process.kill(master, 'SIGHUP')
    },
    served: () => askGeneration(layout.socketPath),
    logMark: () => sizeOf(layout.errorLogPath),
    errorsSince: (mark) => readErrorsSince(layout.errorLogPath, mark),
    removeStaleSocket: () => rm(layout.socketPath, { force: true }),
    accessReport: (owner) => reportOf(layout.socketPath, owner),
    simulateAccess: (rules, asked) => simulate(layout.socketPath, rules, asked),
    replayAccess: (replaying, signal) => replay(layout.socketPath, replaying, signal),
  }
}

/**
 * True if the kernel supports IPv6; without it, nginx does not start if it is configured to listen on IPv6.
 */
export function hasIpv6(): boolean {
  return existsSync('/proc/net/if_inet6')
}

const checkTimeoutMs = 60_000
const answerTimeoutMs = 500
const maxLogBytes = 64 * 1024
const maxConfigBytes = 64 * 1024 * 1024

async function readAddresses(
  run: Run,
  { configPath }: Pick<NginxLayout, 'configPath'>,
): Promise<readonly ListenAddress[]> {
  const limits = { timeoutMs: checkTimeoutMs, maxBytes: maxConfigBytes }
  return addressesIn((await run(['nginx', '-T', '-c', configPath], limits)).stdout)
}

/**
 * Runs `nginx -t` in a mount namespace in which the candidates are mounted at their final paths. Bubblewrap
 * drops all capabilities, even those of root, and nginx could then neither bind port 80 nor open its logs.
 */
async function check(run: Run, layout: NginxLayout, mounts: readonly Mount[]) {
  const binds = mounts.flatMap(({ source, target }) => ['--ro-bind', source, target])
  const asRoot = process.getuid?.() === 0 ? ['--cap-add', 'ALL'] : []
  const { code, stderr, durationMs } = await run(
    [
      'bwrap',
      '--die-with-parent',
      '--dev-bind',
      '/',
      '/',
      ...asRoot,
      ...binds,
      '--',
      'nginx',
      '-t',
      '-c',
      layout.configPath,
    ],
    { timeoutMs: checkTimeoutMs },
  )
  if (code === 127)
    throw Unavailable('bubblewrap, which is needed to check nginx configurations, is not installed')
  if (/^bwrap: execvp/m.test(stderr)) throw Unavailable('nginx is not installed')
  if (/^bwrap: /m.test(stderr))
    throw Unavailable(`nginx configurations cannot be checked on this host: ${stderr.trim()}`)
  const message = stderr
    .split('\n')
    .filter((line) => line !== '' && !/syntax is ok$|test is successful$/.test(line))
  return {
    isAccepted: code === 0,
    message: code === 124 ? 'nginx -t timed out' : message.join('\n'),
    durationMs,
  }
}

/** The pid file may be stale, and its pid may belong to another program by now. */
async function findMaster(pidPath: string): Promise<number | undefined> {
  const pid = Number((await absentAsEmpty(readFile(pidPath, 'utf8'))).trim())
  if (!Number.isInteger(pid) || pid < 2) return undefined
  const program = basename(await absentAsEmpty(readlink(`/proc/${pid}/exe`))).replace(/ \(deleted\)$/, '')
  return program === 'nginx' ? pid : undefined
}

async function workers(master: number): Promise<readonly number[]> {
  const children = (await absentAsEmpty(readFile(`/proc/${master}/task/${master}/children`, 'utf8')))
    .split(' ')
    .filter(Boolean)
    .map(Number)
  const titles = await Promise.all(
    children.map((pid) => absentAsEmpty(readFile(`/proc/${pid}/cmdline`, 'utf8'))),
  )
  return children.filter(
    (_pid, index) => /worker process/.test(titles[index]!) && !/shutting down/.test(titles[index]!),
  )
}

function askGeneration(socketPath: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const query = request(
    {
      socketPath,
      path: '/generation',
      headers: { host: 'generation' },
      agent: false,
      timeout: answerTimeoutMs,
    },
    (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => {
        text += part
        if (text.length > 200) query.destroy()
      })
      answer.on('end', () => resolve(answer.statusCode === 200 ? text : undefined))
      answer.on('error', () => resolve(undefined))
    },
  )
  query.on('timeout', () => query.destroy())
  query.on('error', () => resolve(undefined)) // a missing answer is a valid result here: nginx is not running
  query.on('close', () => resolve(undefined))
  query.end()
  return promise
}

async function sizeOf(path: string): Promise<number> {
  const log = await openLog(path)
  if (log === undefined) return 0
  try {
    return (await log.stat()).size
  } finally {
    await log.close()
  }
}

async function readErrorsSince(path: string, mark: number): Promise<readonly string[]> {
  const log = await openLog(path)
  if (log === undefined) return []
  try {
    const { buffer, bytesRead } = await log.read(Buffer.alloc(maxLogBytes), 0, maxLogBytes, mark)
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
    return lines
      .filter((line) => /\[(emerg|alert|crit)\]/.test(line))
      .map((line) => line.replace(/^\S+ \S+ (\[\w+\]) \d+#\d+: /, '$1 '))
  } finally {
    await log.close()
  }
}

async function openLog(path: string) {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}
