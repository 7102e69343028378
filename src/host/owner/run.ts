import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { Duplex, type Readable, type Writable } from 'node:stream'
import { Problem } from '../../core/problem.ts'
import { awaitEnd, type RunOptions, type RunResult, unstarted } from '../run.ts'
import { type Account, folders, openHome, plainArgs } from './confinement.ts'
import { detectConfinement } from './detect.ts'
import { covered } from './keeper.ts'
import { preferForOomKill } from './oom-score.ts'
import { OwnerUnavailable } from './problems.ts'
import { runLimit } from './run-limit.ts'

/** The limits of one program, and what it may reach besides the home. */
export interface OwnerRunOptions extends Pick<
  RunOptions,
  'input' | 'timeoutMs' | 'maxBytes' | 'signal' | 'onOutput'
> {
  /** Paths of Unix sockets of the host, which the program finds at the same paths. */
  readonly sockets?: readonly string[]
  /** A file that exists in the namespace alone; the place for secrets of a program that reads its input. */
  readonly file?: { readonly path: string; readonly content: string }
}

const acquire = runLimit('programs')
const maxSockets = 8
/** Exit code of a command that cannot be started, as in a shell. */
const notStarted = 126
/** Time limit for a killed program to exit; one that is stuck in the kernel never does. */
const abandonMs = 15_000
/** Messages of the programs that start another one in the confinement. */
const startFailed = /^(?:bwrap|choom|prlimit|setpriv): /

/**
 * Runs one program of the host under the owner's uid, in a namespace that contains the home, a read-only /usr, a private /tmp and the
 * named sockets. Ends it with everything it has started. Never rejects: exit code 126 if the confinement is impossible.
 */
export async function runConfined(
  account: Account,
  argv: readonly [string, ...string[]],
  options: OwnerRunOptions,
): Promise<RunResult> {
  const { reason } = detectConfinement()
  if (reason !== null) return unstarted(notStarted, reason)
  try {
    const release = await acquire(account, options.signal)
    try {
      const result = await awaitEnd(() => start(account, argv, options), {
        ...options,
        graceMs: 0,
        abandonMs,
      })
      return result.code === 1 && startFailed.test(result.stderr) ? { ...result, code: notStarted } : result
    } finally {
      release()
    }
  } catch (error) {
    if (options.signal?.aborted) return unstarted(124, 'cancelled before it started')
    if (error instanceof Problem) return unstarted(notStarted, error.message)
    throw error
  }
}

function start(
  account: Account,
  argv: readonly [string, ...string[]],
  { sockets = [], file }: OwnerRunOptions,
): ChildProcess {
  const opened: number[] = []
  const keep = (fd: number) => {
    opened.push(fd)
    return fd
  }
  try {
    const home = keep(openHome(account).fd)
    const nothing = keep(openSync('/dev/null', constants.O_RDWR))
    if (sockets.length > maxSockets) throw OwnerUnavailable(`more than ${maxSockets} sockets`)
    const handed = sockets.map((path) => keep(openSocket(path)))
    const binds = sockets.flatMap((path, at) => [
      ...folders(dirname(path)),
      '--ro-bind-fd',
      String(5 + at),
      path,
    ])
    const at = 5 + handed.length
    const written = file === undefined ? [] : fileArgs(file.path, at)
    const extra = file === undefined ? handed : [...handed, 'pipe' as const]
    const rest = covered(nothing).slice(extra.length)
    const child = spawn(
      ...preferForOomKill('/usr/bin/bwrap', plainArgs(account, [...binds, ...written], argv)),
      {
        env: environmentOf(account),
        cwd: '/',
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe', nothing, home, ...extra, ...rest],
      },
    )
    if (file !== undefined) send(child.stdio[at], file.content)
    return child
  } finally {
    for (const fd of opened) closeSync(fd)
  }
}

/** Only this namespace contains the file, with its one account. */
const fileArgs = (path: string, fd: number): readonly string[] => [
  ...folders(dirname(path)),
  '--perms',
  '0444',
  '--file',
  String(fd),
  path,
]

function send(pipe: Readable | Writable | null | undefined, content: string): void {
  if (!(pipe instanceof Duplex)) throw new Error('the descriptor of the file is not a pipe')
  pipe.on('error', () => {}) // bubblewrap ended early, and gives the reason on stderr
  pipe.end(content)
}

const environmentOf = ({ name, home }: Account) => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  TERM: 'dumb',
  HOME: home,
  USER: name,
  LOGNAME: name,
})

/** open(2), O_PATH: refers to the socket without connecting to it. Node has no constant for it. */
const pathOnly = 0o10000000

/** Opens a socket as what is bound into the namespace, so that it is the one checked here. The caller closes it. */
function openSocket(path: string): number {
  if (!/^(\/[^/\0]+){2,}$/.test(path) || path.split('/').some((part) => part === '..' || part === '.'))
    throw OwnerUnavailable(`${path}: not the path of a socket`)
  let fd: number
  try {
    fd = openSync(path, pathOnly | constants.O_NOFOLLOW)
  } catch (error) {
    throw OwnerUnavailable(`${path}: no such socket`, { cause: error })
  }
  if (fstatSync(fd).isSocket()) return fd
  closeSync(fd)
  throw OwnerUnavailable(`${path}: not a socket`)
}
