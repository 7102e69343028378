import { ReadStream } from 'node:tty'
import { nativePty, type Size } from './native.ts'

/** A program on a pseudo-terminal. */
export interface Pty {
  /** The program leads a session with this number. */
  readonly pid: number
  /** Resolves when the terminal has taken the bytes, or is closed. */
  write(bytes: Uint8Array): Promise<void>
  resize(size: Size): void
  /** Stops reading, so that the program waits once the buffer of the kernel is full. */
  pause(): void
  resume(): void
  /** Closes the terminal: the kernel sends SIGHUP to the program and what it runs in the foreground. */
  hangUp(): void
  /** The exit code, 137 if a signal killed it, once the program has ended and its output was read. */
  readonly ended: Promise<number>
}

interface Opening {
  readonly argv: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
  readonly size: Size
  readonly onOutput: (bytes: Buffer) => void
}

const lastOutputMs = 1000
const killedBySignal = 137

/** Starts a program on a new pseudo-terminal, in the root folder. */
export function openPty({ argv, env, size, onOutput }: Opening): Pty {
  const native = nativePty()
  const exited = Promise.withResolvers<number>()
  const [command, ...args] = argv
  const pty = withUsualMask(() => {
    const onExit = (_failure: Error | null, code: number) => exited.resolve(code < 0 ? killedBySignal : code)
    return new native.Pty({ command, args, envs: env, dir: '/', size, onExit })
  })
  const fd = pty.takeControllerFd()
  const stream = new ReadStream(fd)
  const closed = new Promise<void>((resolve) => stream.once('close', () => resolve()))
  const mark = native.getSyntheticEofSequence()
  stream.on('error', () => stream.destroy()) // EIO: every side of the program is closed, and its output was read
  stream.on('data', (bytes: Buffer) => onOutput(withoutEnd(bytes, mark)))
  return {
    pid: pty.pid,
    write: (bytes) =>
      stream.destroyed
        ? Promise.resolve()
        : new Promise((resolve) => void stream.write(bytes, () => resolve())),
    resize: (next) => {
      if (!stream.destroyed) native.ptyResize(fd, next)
    },
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    hangUp: () => void stream.destroy(),
    ended: exited.promise.then(async (code) => {
      pty.dropUserFd()
      await lastOutput(stream, closed)
      return code
    }),
  }
}

const withoutEnd = (bytes: Buffer, mark: Buffer): Buffer =>
  bytes.subarray(-mark.length).equals(mark) ? bytes.subarray(0, -mark.length) : bytes

/** A program that continues in the background may keep the terminal open: its output is not waited for. */
async function lastOutput(stream: ReadStream, closed: Promise<void>): Promise<void> {
  stream.resume()
  const limit = setTimeout(() => stream.destroy(), lastOutputMs)
  await closed
  clearTimeout(limit)
}

/** The panel creates its own files for itself alone; what a user creates is readable as after any other sign-in. */
function withUsualMask<Value>(start: () => Value): Value {
  const own = process.umask(0o022)
  try {
    return start()
  } finally {
    process.umask(own)
  }
}
