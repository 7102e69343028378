import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The size of a terminal in characters. */
export interface Size {
  readonly cols: number
  readonly rows: number
}

/** A program on a pseudo-terminal, as the library hands it out. */
export interface NativePty {
  readonly pid: number
  /** The side of the panel: close-on-exec, so that no other program inherits it, and non-blocking. */
  takeControllerFd(): number
  /**
   * Closes the side of the program. Only after `onExit`: a thread of the library writes to it just before, and
   * would write to another file that got its number.
   */
  dropUserFd(): void
}

interface NativeOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly envs: Readonly<Record<string, string>>
  readonly dir: string
  readonly size: Size
  readonly onExit: (failure: Error | null, code: number) => void
}

/** The functions that the panel uses of the library. */
export interface Native {
  readonly Pty: new (options: NativeOptions) => NativePty
  ptyResize(fd: number, size: Size): void
  /** The library writes it to the terminal when the program has ended. */
  getSyntheticEofSequence(): Buffer
}

let loaded: Native | undefined

/** Loads the library at the first terminal, so that it takes no memory before. */
export function nativePty(): Native {
  return (loaded ??= load())
}

const bundled = join(import.meta.dirname, 'pty.node')

function load(): Native {
  const require = createRequire(import.meta.url)
  return require(existsSync(bundled) ? bundled : '@replit/ruspty-linux-x64-gnu')
}

/** Returns the reason why there is no library for terminals here: the one in the checkout is for x86-64. */
export function missingLibrary(
  architecture: string = process.arch,
  isBundled: boolean = existsSync(bundled),
): string | undefined {
  if (isBundled || architecture === 'x64') return undefined
  return `This release of the panel has no library for terminals on ${architecture}`
}
