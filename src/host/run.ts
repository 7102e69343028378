import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { pipeline, Readable, type Writable } from 'node:stream'
import { actingStep, stepVariable } from '../core/acting.ts'
import { lastingArgv, openOutputs } from './lasting.ts'

/** The result of a command. `code` follows the shell's convention: 127 for a missing program, 124 after a timeout, 128+n after signal n. */
export interface RunResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** True if output was truncated at `maxBytes`. */
  readonly isCut: boolean
  readonly durationMs: number
}

export interface RunOptions {
  /** Runs as this account, with its groups only, through setpriv. */
  readonly as?: { readonly uid: number; readonly gid: number }
  /** Sent to standard input; the place for secrets. A stream is destroyed when the program ends before it. */
  readonly input?: string | Uint8Array | Readable
  readonly timeoutMs?: number
  /** Limit of each of stdout and stderr; further output is dropped. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal
  readonly cwd?: string
  /**
   * Receives stdout as it arrives, instead of the result; reading continues when the returned promise has
   * settled.
   */
  readonly onOutput?: (chunk: Buffer) => Promise<unknown> | undefined
  /** Added to the clean environment. Never for secrets. */
  readonly env?: Readonly<Record<string, string>>
  /** It must not be interrupted, and continues if the panel is killed. Only its limits, `env` and `onLine` apply. */
  readonly isLasting?: boolean
  /** Receives the lines of a lasting command while it runs, of stdout and stderr up to `maxBytes` each. */
  readonly onLine?: (line: string) => void
}

/** Runs one command given as an argument list. */
export type Run = (argv: readonly [string, ...string[]], options?: RunOptions) => Promise<RunResult>

/** The environment of every program that the panel starts. */
export const cleanEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  HOME: '/',
  TERM: 'dumb',
  DEBIAN_FRONTEND: 'noninteractive',
}

const killGraceMs = 2000

/** Runs a command without a shell, in its own process group, with a clean environment. Never rejects. */
export const run: Run = (argv, options = {}) => {
  if (options.isLasting) return runLasting(argv, options)
  const [program, ...args] = withAccount(argv, options.as)
  const start = () =>
    spawn(program, args, {
      cwd: options.cwd ?? '/',
      env: { ...cleanEnvironment, ...options.env, ...ofStep() },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    })
  return awaitEnd(start, options)
}

/** How long a lasting command is given to end by itself after its time limit: dpkg ends between two packages. */
const lastingGraceMs = 60_000

async function runLasting(
  argv: readonly [string, ...string[]],
  { timeoutMs = 30_000, maxBytes = 1024 * 1024, env: added, onLine }: RunOptions,
): Promise<RunResult> {
  const env = { ...cleanEnvironment, ...added, ...ofStep() }
  const [program, ...args] = lastingArgv(argv, { env, token: actingStep.getStore()?.token, timeoutMs })
  const outputs = await openOutputs().catch(String)
  if (typeof outputs === 'string') return unstarted(126, outputs)
  const start = () =>
    spawn(program, args, { cwd: '/', env, stdio: ['ignore', ...outputs.descriptors], detached: true })
  const readRest = onLine && outputs.follow(onLine, maxBytes)
  try {
    const end = await awaitEnd(start, { timeoutMs, graceMs: lastingGraceMs })
    await readRest?.()
    const { stdout, stderr, isCut } = await outputs.read(maxBytes)
    return { ...end, stdout, stderr: stderr || end.stderr, isCut }
  } finally {
    await outputs.close()
  }
}

interface EndOptions extends Pick<RunOptions, 'input' | 'timeoutMs' | 'maxBytes' | 'signal' | 'onOutput'> {
  /** The time that a program is given to end by itself; 0 kills it at once. */
  readonly graceMs?: number
  /** The time after which a stopped program is no longer waited for, as it may be stuck in the kernel. Default: unlimited. */
  readonly abandonMs?: number
}

/** Starts a program that leads its own process group, and waits for its end within its limits. */
export async function awaitEnd(start: () => ChildProcess, options: EndOptions): Promise<RunResult> {
  const startedAt = performance.now()
  const { timeoutMs = 30_000, maxBytes = 1024 * 1024, signal, graceMs = killGraceMs, abandonMs } = options
  if (signal?.aborted) return unstarted(124, 'cancelled before it started')
  const child = start()
  const { onOutput } = options
  const stdout = onOutput === undefined ? collect(child.stdout, maxBytes) : passOn(child.stdout, onOutput)
  const stderr = collect(child.stderr, maxBytes)
  let stoppedBy: 'timeout' | 'signal' | undefined
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const abandoned = new AbortController()
  const stop = (reason: 'timeout' | 'signal') => {
    if (!hasEnded()) stoppedBy ??= reason
    killGroup(child.pid, graceMs === 0 ? 'SIGKILL' : 'SIGTERM')
    graceTimer ??= setTimeout(() => killGroup(child.pid, 'SIGKILL'), graceMs)
    if (abandonMs !== undefined) abandonTimer ??= setTimeout(() => abandoned.abort(), abandonMs)
  }
  let graceTimer: NodeJS.Timeout | undefined
  let abandonTimer: NodeJS.Timeout | undefined
  let lastTurn: NodeJS.Immediate | undefined
  // Timers run before the exits of children are processed: one more turn lets a child be seen that ended while the event loop was late.
  const timer = setTimeout(() => (lastTurn = setImmediate(() => stop('timeout'))), timeoutMs)
  const onAbort = () => stop('signal')
  signal?.addEventListener('abort', onAbort, { once: true })
  feed(child.stdin, options.input)
  try {
    const closed = await once(child, 'close', { signal: abandoned.signal })
    const [code, killedBy] = closed as [number | null, NodeJS.Signals | null]
    const exit = stoppedBy === undefined ? (code ?? 128 + signalNumber(killedBy)) : 124
    return ended(startedAt, exit, stdout.text(), stderr.text(), stdout.isCut() || stderr.isCut())
  } catch (error) {
    if (abandoned.signal.aborted) return ended(startedAt, 124, stdout.text(), stderr.text(), true)
    const code = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 127 : 126
    return ended(startedAt, code, '', `${child.spawnfile}: ${(error as Error).message}`, false)
  } finally {
    clearTimeout(timer)
    clearTimeout(graceTimer)
    clearTimeout(abandonTimer)
    clearImmediate(lastTurn)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** The result of a command that was not started. */
export const unstarted = (code: number, reason: string): RunResult =>
  ended(performance.now(), code, '', reason, false)

/** Marks a program as that of the step which starts it, for a panel that is killed meanwhile. */
function ofStep(): Readonly<Record<string, string>> {
  const step = actingStep.getStore()
  return step === undefined ? {} : { [stepVariable]: step.token }
}

function withAccount(
  argv: readonly [string, ...string[]],
  as: RunOptions['as'],
): readonly [string, ...string[]] {
  if (as === undefined) return argv
  return [
    'setpriv',
    `--reuid=${as.uid}`,
    `--regid=${as.gid}`,
    '--clear-groups',
    '--no-new-privs',
    '--inh-caps=-all',
    '--',
    ...argv,
  ]
}

/** A program that ends without reading its input is not an error. */
function feed(stdin: Writable | null, input: RunOptions['input'] = ''): void {
  stdin?.on('error', () => {})
  if (stdin !== null && input instanceof Readable) pipeline(input, stdin, () => {})
  else stdin?.end(input)
}

function collect(stream: NodeJS.ReadableStream | null, maxBytes: number) {
  const chunks: Buffer[] = []
  let size = 0
  stream?.on('data', (chunk: Buffer) => {
    const room = maxBytes - size
    size += chunk.length
    if (room > 0) chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
  })
  return { text: () => Buffer.concat(chunks).toString('utf8'), isCut: () => size > maxBytes }
}

function passOn(stream: NodeJS.ReadableStream | null, onOutput: NonNullable<RunOptions['onOutput']>) {
  stream?.on('data', (chunk: Buffer) => {
    const taken = onOutput(chunk)
    if (taken === undefined) return
    stream?.pause()
    void taken.finally(() => stream?.resume())
  })
  return { text: () => '', isCut: () => false }
}

function killGroup(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, name)
  } catch {
    // the group has already exited
  }
}

function signalNumber(name: NodeJS.Signals | null): number {
  return (
    { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGPIPE: 13, SIGTERM: 15 }[
      name as string
    ] ?? 0
  )
}

function ended(startedAt: number, code: number, stdout: string, stderr: string, isCut: boolean): RunResult {
  return { code, stdout, stderr, isCut, durationMs: performance.now() - startedAt }
}
