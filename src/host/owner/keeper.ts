import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, constants, openSync, readdirSync, readFileSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import { Channel } from './channel.ts'
import type { EndReason } from './pending.ts'
import { confinedArgs, openHome, type Account, type Confined } from './confinement.ts'
import { killGroup } from './confined/tool.ts'
import { printable } from './failures.ts'
import { OwnerUnavailable } from './problems.ts'

/** A running helper. */
export interface Running {
  readonly channel: Channel
  /** The home it was given, as device and inode. */
  readonly identity: string
  /** Resolves when calls may be sent; rejects with the reason if that is impossible. */
  readonly ready: Promise<void>
  readonly pid: number | undefined
  kill(): void
}

interface Listener {
  ended(reason: EndReason, why: string): void
  /** The process has exited, not only its connection. */
  exited(): void
}

const startMs = 15_000
const maxMessageBytes = 4096

/** Starts the helper for an account. */
export function start(account: Account, confined: Confined, listener: Listener): Running {
  const home = openHome(account)
  const nothing = openSync('/dev/null', constants.O_RDWR)
  let child: ChildProcess
  try {
    child = spawn('bwrap', confinedArgs(account, confined), {
      env: {},
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', home.fd, ...covered(nothing)],
    })
  } finally {
    closeSync(home.fd)
    closeSync(nothing)
  }
  const message = firstMessage(child)
  // The group, since during startup the first process of the namespace is tied to bubblewrap by nothing else.
  const kill = () => (child.exitCode === null && child.signalCode === null ? killGroup(child.pid) : undefined)
  let failStart: (error: Error) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    failStart = reject
  })
  const channel = new Channel(child.stdio[3] as Duplex, (reason, why) => {
    kill()
    listener.ended(reason, why)
    failStart(OwnerUnavailable(`${account.name}: the helper did not start: ${printable(message() || why)}`))
  })
  const timer = setTimeout(() => channel.end('stuck', 'it did not start in time'), startMs)
  child.on('error', (error) => {
    const isMissing = 'code' in error && error.code === 'ENOENT'
    failStart(OwnerUnavailable(isMissing ? 'bubblewrap (bwrap) is not installed' : `bwrap: ${error.message}`))
    channel.end('gone', 'it could not be started')
    listener.exited()
  })
  child.on('exit', () => {
    clearTimeout(timer)
    setImmediate(() => channel.end('gone', 'it ended'))
    listener.exited()
  })
  const ready = Promise.race([channel.ready.finally(() => clearTimeout(timer)), failed])
  ready.catch(() => {}) // the code that requested the account receives it
  return { channel, identity: home.identity, ready, pid: child.pid, kill }
}

// Enough for bubblewrap's error message; a program that writes more finds the pipe closed.
function firstMessage(child: ChildProcess): () => string {
  let message = ''
  child.stderr?.on('data', (part: Buffer) => {
    message += part.toString('utf8')
    if (message.length > maxMessageBytes) child.stderr?.destroy()
  })
  child.stderr?.on('error', () => {})
  return () => message.slice(0, maxMessageBytes)
}

let inherited: readonly number[] | undefined

/** Descriptors that the panel itself inherited would leak to the owner: each is replaced by /dev/null. */
export function covered(nothing: number): ('ignore' | number)[] {
  inherited ??= readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => fd > 4 && isInheritable(fd))
  return Array.from({ length: Math.max(4, ...inherited) - 4 }, (_, at) =>
    inherited?.includes(at + 5) === true ? nothing : 'ignore',
  )
}

const closeOnExec = 0o2000000

function isInheritable(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0
  } catch {
    return false // the descriptor of the readdir is already closed
  }
}
