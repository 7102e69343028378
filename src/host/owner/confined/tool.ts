import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { failureOf, Refusal } from './calls.ts'
import type { CallRun } from './session.ts'

interface ToolRun {
  readonly input?: Uint8Array
  readonly cwd?: string
  readonly onOutput?: (part: Buffer) => void
}

/** Runs a program of the host inside the confinement until it ends or the call is cancelled; `message` is its output on stderr. */
export async function runTool(
  name: string,
  args: readonly string[],
  { input, cwd, onOutput }: ToolRun,
  run: Pick<CallRun, 'signal'>,
): Promise<{ code: number | null; message: string }> {
  if (run.signal.aborted) throw new Refusal('CANCELLED')
  const tool = startTool(name, args, cwd)
  const message = messageOf(tool)
  tool.stdout.on('data', (part: Buffer) => onOutput?.(part))
  tool.stdin.on('error', () => {}) // a tool that ended early gives the reason on stderr
  tool.stdin.end(input)
  const kill = () => killGroup(tool.pid)
  run.signal.addEventListener('abort', kill, { once: true })
  try {
    const [code] = (await once(tool, 'close')) as [number | null]
    if (run.signal.aborted) throw new Refusal('CANCELLED')
    return { code, message: message() }
  } catch (error) {
    throw error instanceof Refusal ? error : startFailure(error)
  } finally {
    run.signal.removeEventListener('abort', kill)
  }
}

/** Starts a program of the host inside the confinement, as the leader of its own process group. */
export function startTool(
  name: string,
  args: readonly string[],
  cwd?: string,
): ChildProcessWithoutNullStreams {
  requireTool(name)
  return spawn(`/usr/bin/${name}`, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    detached: true,
    ...(cwd === undefined ? {} : { cwd }),
  })
}

/** Collects the beginning of a program's stderr. */
export function messageOf(tool: ChildProcessWithoutNullStreams): () => string {
  let message = ''
  tool.stderr.on('data', (part: Buffer) => {
    message = (message + part.toString('latin1')).slice(0, 4000)
  })
  return () => message
}

/** Kills a process group by its leader. */
export function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // it has already ended
  }
}

/** Returns the reason why an installed program could not be started: usually its working directory is gone. */
export function startFailure(error: unknown): Refusal {
  const { code, why } = failureOf(error)
  return new Refusal(code, undefined, why)
}

const codesByMessage = [
  ['No space left on device', 'ENOSPC'],
  ['Disk quota exceeded', 'EDQUOT'],
  ['Permission denied', 'EACCES'],
  ['Operation not permitted', 'EPERM'],
  ['No such file or directory', 'ENOENT'],
  ['Read-only file system', 'EROFS'],
  ['File too large', 'EFBIG'],
  ['Cannot readlink: Invalid argument', 'CHANGED'], // it was a link when tar checked
  ['Too many levels of symbolic links', 'CHANGED'], // it was no link when tar checked
] as const

/** Returns the errno name for a tool's message. */
export function codeOfMessage(message: string): string {
  return codesByMessage.find(([text]) => message.includes(text))?.[1] ?? 'EIO'
}

/** Returns true if a program is installed on this host. */
export function hasTool(name: string): boolean {
  try {
    accessSync(`/usr/bin/${name}`, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Throws if a program is not installed on this host. */
export function requireTool(name: string): void {
  if (!hasTool(name)) throw new Refusal('NOTOOL', undefined, `${name} is not installed on this host`)
}
