import { existsSync } from 'node:fs'
import { open, readFile, readlink, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { basename } from 'node:path'
import { Unavailable } from '../../core/problem.ts'
import { absentAsEmpty, isAbsent } from '../../host/proc.ts'
import type { Run } from '../../host/run.ts'
import { shareUnderWay, versionIn } from '../detection.ts'
import type { NginxLayout } from './layout.ts'

/** A file that stands in another's place while nginx checks. */
export interface Mount {
  readonly source: string
  readonly target: string
}

/** The running nginx, and what its command line answers. */
export interface NginxProgram {
  /** Undefined when it is not installed. */
  version(): Promise<string | undefined>
  check(
    mounts: readonly Mount[],
  ): Promise<{ readonly isAccepted: boolean; readonly message: string; readonly durationMs: number }>
  /** The master's process id; undefined when nginx does not run. */
  master(): Promise<number | undefined>
  /** Worker processes that take new connections. */
  workers(master: number): Promise<readonly number[]>
  signalReload(master: number): void
  /** What the running nginx names as its generation, asked on a new connection; undefined when it does not answer. */
  served(): Promise<string | undefined>
  /** A mark in the error log; `complaints` gives the lines since then in which the master gave up. */
  logMark(): Promise<number>
  complaints(mark: number): Promise<readonly string[]>
  removeStaleSocket(): Promise<void>
}

/** Opens the nginx of this host. */
export function openProgram(run: Run, layout: NginxLayout): NginxProgram {
  return {
    version: shareUnderWay(async () =>
      versionIn(await run(['nginx', '-v'], { timeoutMs: 5000 }), /nginx\/(\S+)/),
    ),
    check: (mounts) => check(run, layout, mounts),
    master: () => findMaster(layout.pidPath),
    workers,
    signalReload: (master) => {
      process.kill(master, 'SIGHUP')
    },
    served: () => askGeneration(layout.socketPath),
    logMark: () => sizeOf(layout.errorLogPath),
    complaints: (mark) => complaintsSince(layout.errorLogPath, mark),
    removeStaleSocket: () => rm(layout.socketPath, { force: true }),
  }
}

/** Whether the kernel has IPv6; without it nginx does not start when it is told to listen on it. */
export function hasIpv6(): boolean {
  return existsSync('/proc/net/if_inet6')
}

const checkTimeoutMs = 60_000
const answerTimeoutMs = 500
const maxLogBytes = 64 * 1024

/**
 * Runs `nginx -t` in a mount namespace in which the candidates stand in their places. Bubblewrap drops all capabilities even
 * of root, and then nginx could neither bind port 80 nor open its logs.
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
    throw Unavailable('bubblewrap is needed to check a configuration of nginx, and is not installed')
  if (/^bwrap: execvp/m.test(stderr)) throw Unavailable('nginx is not installed')
  if (/^bwrap: /m.test(stderr))
    throw Unavailable(`a configuration of nginx cannot be checked here: ${stderr.trim()}`)
  const message = stderr
    .split('\n')
    .filter((line) => line !== '' && !/syntax is ok$|test is successful$/.test(line))
  return {
    isAccepted: code === 0,
    message: code === 124 ? 'nginx -t took too long' : message.join('\n'),
    durationMs,
  }
}

/** The pid file may be stale, and its number may belong to another program by now. */
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
  const asked = request(
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
        if (text.length > 200) asked.destroy()
      })
      answer.on('end', () => resolve(answer.statusCode === 200 ? text : undefined))
      answer.on('error', () => resolve(undefined))
    },
  )
  asked.on('timeout', () => asked.destroy())
  asked.on('error', () => resolve(undefined)) // no answer is an answer here: nginx does not run
  asked.on('close', () => resolve(undefined))
  asked.end()
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

async function complaintsSince(path: string, mark: number): Promise<readonly string[]> {
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
