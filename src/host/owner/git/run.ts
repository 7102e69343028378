import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { Writable } from 'node:stream'
import { type Account, folders, inside, openHome, plainArgs } from '../confinement.ts'
import { killGroup } from '../confined/tool.ts'
import { printable } from '../failures.ts'
import { preferForOomKill } from '../oom-score.ts'
import { covered } from '../keeper.ts'
import { OwnerUnavailable, ToolMissing } from '../problems.ts'
import { runLimit } from '../run-limit.ts'
import { gitEnvironment, type Setting, runFolder } from './environment.ts'
import { GitFailed } from './problems.ts'

/** One run of git. */
export interface GitRun {
  readonly args: readonly string[]
  readonly input?: Uint8Array
  /** Files in git's home, in memory, only for this run. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Files of the namespace's /etc. */
  readonly etc?: Readonly<Record<string, string>>
  /** Added to the environment: never secrets. */
  readonly env?: Readonly<Record<string, string>>
  readonly settings?: readonly Setting[]
  /** Set if this run may reach another host. */
  readonly network?: Network
  readonly timeoutMs?: number
  readonly maxBytes?: number
  /** True if output beyond `maxBytes` is dropped instead of being a failure. */
  readonly cuts?: boolean
  readonly signal?: AbortSignal | undefined
  /** Receives git's progress output as it arrives. */
  readonly onMessage?: (message: string) => void
}

/** The only way out of a namespace. */
export interface Network {
  readonly protocols: readonly string[]
  /** Mounts, and the command prefix that starts the relay, which starts the program. */
  readonly binds: readonly string[]
  readonly prefix: readonly string[]
}

/** The result of a run. */
export interface GitEnd {
  readonly code: number
  readonly out: Buffer
  readonly message: string
  readonly isCut: boolean
}

const acquireRun = runLimit('git processes')
const maxMessageBytes = 64 * 1024
/** Error messages of the programs that start git. */
const neverStarted = /^(?:bwrap|choom|prlimit|setpriv): /m
/** Time limit for a killed run to exit; one that is stuck in the kernel never does. */
const abandonMs = 15_000

/** Runs git (or a program of ssh) once under the owner's uid, in a namespace that contains the home and nothing else of the host. */
export async function runGit(account: Account, run: GitRun, program = '/usr/bin/git'): Promise<GitEnd> {
  run.signal?.throwIfAborted()
  if (process.getuid?.() !== 0)
    throw OwnerUnavailable(
      'the panel does not run as root, so it cannot work under the uid of a hosting user',
    )
  if (!existsSync(program)) throw ToolMissing(`${program} is not installed on this host`)
  const leave = await acquireRun(account, run.signal)
  try {
    return await ended(account, run, start(account, run, program))
  } finally {
    leave()
  }
}

function start(account: Account, run: GitRun, program: string): ChildProcess {
  const handed = [
    ...Object.entries(run.files ?? {}).map(([name, content]) => ({
      how: '--file',
      at: `${runFolder}/${name}`,
      content,
    })),
    ...Object.entries(run.etc ?? {}).map(([name, content]) => ({
      how: '--ro-bind-data',
      at: `/etc/${name}`,
      content,
    })),
  ]
  const binds = [
    ...folders(inside),
    ...['--perms', '0777', '--size', String(16 * 1024 * 1024), '--tmpfs', runFolder],
    ...handed.flatMap(({ how, at }, index) => [
      ...(how === '--file' ? ['--perms', '0666'] : [...folders(parentOf(at)), '--perms', '0444']),
      how,
      String(5 + index),
      at,
    ]),
    ...(run.network?.binds ?? []),
  ]
  const home = openHome(account)
  const nothing = openSync('/dev/null', constants.O_RDWR)
  try {
    const rest = covered(nothing).slice(handed.length)
    const argv = plainArgs(account, binds, [...(run.network?.prefix ?? []), program, ...run.args])
    const child = spawn(...preferForOomKill('/usr/bin/bwrap', argv), {
      env: { ...gitEnvironment(run.settings ?? [], run.network?.protocols ?? []), ...run.env },
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', nothing, home.fd, ...handed.map(() => 'pipe' as const), ...rest],
    })
    for (const [index, { content }] of handed.entries()) give(child.stdio[5 + index], content)
    give(child.stdin, run.input)
    return child
  } finally {
    closeSync(home.fd)
    closeSync(nothing)
  }
}

// oxlint-disable-next-line max-lines-per-function -- one sequence over shared local state
async function ended(account: Account, run: GitRun, child: ChildProcess): Promise<GitEnd> {
  const { timeoutMs = 60_000, maxBytes = 4 * 1024 * 1024, signal } = run
  let [message, isCut, isLate, size] = ['', false, false, 0]
  const parts: Buffer[] = []
  const { promise: abandoned, reject: abandon } = Promise.withResolvers<never>()
  let stuck: NodeJS.Timeout | undefined
  const kill = () => {
    killGroup(child.pid) // bubblewrap takes the whole namespace with it; during startup, its first process is tied to it only by the group
    stuck ??= setTimeout(
      () => abandon(OwnerUnavailable(`${account.name}: git is stuck in the kernel`)),
      abandonMs,
    )
  }
  child.stdout?.on('data', (part: Buffer) => {
    parts.push(part.subarray(0, Math.max(0, maxBytes - size)))
    size += part.length
    if (size <= maxBytes || isCut) return
    isCut = true
    kill()
  })
  child.stderr?.on('data', (part: Buffer) => {
    const text = part.toString('utf8')
    message = (message + text).slice(-maxMessageBytes)
    run.onMessage?.(text)
  })
  const timer = setTimeout(() => {
    isLate = true
    kill()
  }, timeoutMs)
  signal?.addEventListener('abort', kill, { once: true })
  if (signal?.aborted) kill()
  try {
    const [code]: unknown[] = await Promise.race([once(child, 'close'), abandoned])
    signal?.throwIfAborted()
    if (isLate) throw GitFailed(`git did not end within ${Math.round(timeoutMs / 1000)} s`)
    if (isCut && run.cuts !== true) throw GitFailed(`the output of git exceeds ${maxBytes} bytes`)
    if (neverStarted.test(message) && [1, 126, 127].includes(Number(code)))
      throw OwnerUnavailable(`${account.name}: ${whyNot(message)}`)
    return {
      code: isCut ? 0 : typeof code === 'number' ? code : 137,
      out: Buffer.concat(parts),
      message,
      isCut,
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw OwnerUnavailable('choom of util-linux is not installed', { cause: error })
    throw error
  } finally {
    clearTimeout(timer)
    clearTimeout(stuck)
    signal?.removeEventListener('abort', kill)
  }
}

// The kernel reports the process limit on exec, not on fork (setuid(2)).
function whyNot(message: string): string {
  return message.includes('Resource temporarily unavailable')
    ? 'the account has reached its process limit'
    : printable(message)
}

function give(to: unknown, content: string | Uint8Array | undefined): void {
  if (!(to instanceof Writable)) return
  to.on('error', () => {}) // it ended without reading its input, and gives the reason itself
  to.end(content)
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
