import { readFile, readlink, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { poll } from '../../core/poll.ts'
import { Unavailable } from '../../core/problem.ts'
import type { Files } from '../../host/files.ts'
import { absentAsEmpty, isAbsent, processStart, processStartTicks } from '../../host/proc.ts'
import type { Run } from '../../host/run.ts'
import { versionIn } from '../detection.ts'
import type { HaproxyLayout } from './layout.ts'
import { parseProcesses, type Processes } from './processes.ts'
import { pollIntervalMs } from './poll-interval.ts'
import { ask, type SocketAddress } from './socket.ts'

/** The running HAProxy and its command line. */
export interface HaproxyProgram {
  /** Undefined when HAProxy is not installed. */
  version(): Promise<string | undefined>
  check(
    path: string,
  ): Promise<{ readonly isAccepted: boolean; readonly message: string; readonly durationMs: number }>
  /** The processes according to the master; undefined when there is no master or while it is loading. */
  processes(): Promise<Processes | undefined>
  /** The pids that accept connections: the master's workers, or those of the pid file. */
  running(): Promise<readonly number[]>
  /**
   * Identifies the processes that accept connections, so that a change of processes is detected; undefined
   * when none runs.
   */
  generation(): Promise<string | undefined>
  signalReload(master: number): void
  /**
   * Start time of the youngest process that accepts connections, in milliseconds since 1970; undefined when
   * none runs.
   */
  startedAt(): Promise<number | undefined>
  /**
   * Runs a command of the runtime API; undefined when nothing answers. `address` is the configured address, if
   * any.
   */
  command(address: SocketAddress | undefined, command: string): Promise<string | undefined>
}

const programPaths = [
  '/usr/sbin/haproxy',
  '/usr/local/sbin/haproxy',
  '/usr/bin/haproxy',
  '/usr/local/bin/haproxy',
]
const checkTimeoutMs = 60_000
const versionTimeoutMs = 5000

/** Opens the HAProxy of this host. */
export function openProgram(run: Run, files: Files, onHost: HaproxyLayout): HaproxyProgram {
  const layout = {
    ...onHost,
    masterSocketPath: files.real(onHost.masterSocketPath),
    pidPath: files.real(onHost.pidPath),
  }
  const here = (address: SocketAddress): SocketAddress =>
    'path' in address ? { path: files.real(address.path) } : address
  const master: SocketAddress = { path: layout.masterSocketPath }
  const processes = () => askMaster(master, () => namesMaster(layout))
  const running = async () => (await processes())?.workers ?? pidsOf(layout.pidPath)
  return {
    version: rememberVersion(run, files),
    check: (path) => check(run, path),
    processes,
    running,
    generation: async () => {
      const pids = await running()
      const ticks = await Promise.all(pids.map(processStartTicks))
      return pids.length === 0
        ? undefined
        : pids.map((pid, index) => `${pid}@${ticks[index] ?? ''}`).join(' ')
    },
    signalReload: (pid) => {
      process.kill(pid, 'SIGUSR2')
    },
    startedAt: async () => {
      const times = (await Promise.all((await running()).map(processStart))).filter(
        (time) => time !== undefined,
      )
      return times.length === 0 ? undefined : Math.max(...times)
    },
    command: async (address, command) =>
      (address && (await ask(here(address), command))) ?? ask(master, `@1 ${command}`),
  }
}

/** Asks once per installation, even when many callers ask concurrently. */
function rememberVersion(run: Run, files: Files): () => Promise<string | undefined> {
  let known: { readonly stamp: string; readonly version: Promise<string | undefined> } | undefined
  const ask = async () => {
    const result = await run(['haproxy', '-v'], { timeoutMs: versionTimeoutMs })
    if (result.code !== 0) known = undefined // the next caller asks again
    return versionIn(result, /^HA-?Proxy version (\S+)/im)
  }
  return async () => {
    const stamp = (await Promise.all(programPaths.map((path) => stampOf(files.real(path))))).join('')
    if (stamp === '') return undefined
    if (known?.stamp !== stamp) known = { stamp, version: ask() }
    return known.version
  }
}

/** Changes with each installation; empty if the program is missing. */
async function stampOf(path: string): Promise<string> {
  try {
    const { ino, mtimeMs, size } = await stat(path)
    return `${path} ${ino} ${mtimeMs} ${size}\n`
  } catch (error) {
    if (isAbsent(error)) return ''
    throw error
  }
}

const loadingMs = 5000
/** A process that was seen is not looked up again immediately: the lookup costs more than the query. */
const seenForMs = 100

/**
 * A starting master does not listen yet; one that is loading a configuration accepts connections and closes
 * them without an answer.
 */
async function askMaster(
  master: SocketAddress,
  isExpected: () => Promise<boolean>,
): Promise<Processes | undefined> {
  let seenAt = -Infinity
  const askOnce = async (): Promise<Processes | 'absent' | undefined> => {
    const answer = await ask(master, 'show proc')
    if (answer !== undefined) return parseProcesses(answer)
    if (performance.now() <= seenAt + seenForMs) return undefined
    if (!(await isExpected())) return 'absent'
    seenAt = performance.now()
    return undefined
  }
  const found = await poll(askOnce, { limitMs: loadingMs, everyMs: pollIntervalMs })
  return found === 'absent' ? undefined : found
}

async function check(run: Run, path: string) {
  const { code, stdout, stderr, durationMs } = await run(['haproxy', '-c', '-f', path], {
    timeoutMs: checkTimeoutMs,
    maxBytes: 256 * 1024,
  })
  if (code === 127) throw Unavailable('HAProxy is not installed')
  const lines = `${stderr}\n${stdout}`
    .split('\n')
    .filter((line) => line !== '' && !/^\[NOTICE\]|^Configuration file is valid/.test(line))
  const message = lines.map((line) => line.replace(/^\[(\w+)\]\s+\(\d+\) : /, '[$1] ')).join('\n')
  return {
    isAccepted: code === 0,
    message: code === 124 ? 'haproxy -c timed out' : message.slice(0, 8000),
    durationMs,
  }
}

/** True if the HAProxy of the pid file was started with this master socket. */
async function namesMaster({ pidPath, masterSocketPath }: HaproxyLayout): Promise<boolean> {
  const lines = await Promise.all(
    (await pidsOf(pidPath)).map((pid) => absentAsEmpty(readFile(`/proc/${pid}/cmdline`, 'utf8'))),
  )
  return lines.some((line) => line.split('\0').includes(masterSocketPath))
}

/** The pid file may be stale, and its pids may belong to other programs by now. */
async function pidsOf(path: string): Promise<readonly number[]> {
  const pids = (await absentAsEmpty(readFile(path, 'utf8')))
    .split('\n')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 1)
  const programs = await Promise.all(pids.map((pid) => absentAsEmpty(readlink(`/proc/${pid}/exe`))))
  return pids.filter((_pid, index) => basename(programs[index]!).replace(/ \(deleted\)$/, '') === 'haproxy')
}
