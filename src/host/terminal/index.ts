import { accessSync, constants } from 'node:fs'
import { preferForOomKill } from '../owner/oom-score.ts'
import { missingLibrary, type Size } from './native.ts'
import { openPty } from './pty.ts'
import { hangUpSession, killSession } from './session-processes.ts'

export type { Size } from './native.ts'

/** The login shell of an account on a pseudo-terminal. */
export interface Terminal {
  /** Resolves when the shell's side has taken the bytes. */
  write(bytes: Uint8Array): Promise<void>
  resize(size: Size): void
  /** Stops and continues reading output: the program waits meanwhile. */
  pause(): void
  resume(): void
  /** Closes the terminal as a lost connection does: the shell and its jobs receive SIGHUP. */
  hangUp(): void
  /** Closes the terminal and kills every process that runs on it. */
  kill(): Promise<void>
  /** The exit code of the shell. */
  readonly ended: Promise<number>
}

/** A program that an account runs on a terminal, as an argument list. */
export interface TerminalProgram {
  readonly account: string
  readonly argv: readonly [string, ...string[]]
  /** Never for secrets. */
  readonly env: Readonly<Record<string, string>>
}

/** Login shells of the accounts of this host. */
export interface Terminals {
  /** Returns the reason why no terminal can be opened here. */
  obstacle(): string | undefined
  open(username: string, size: Size, onOutput: (bytes: Buffer) => void): Terminal
  /** Runs a program under an account, with its groups and an environment of its own. */
  openProgram(program: TerminalProgram, size: Size, onOutput: (bytes: Buffer) => void): Terminal
  /** Closes the open ones. */
  close(): Promise<void>
}

export interface TerminalsOptions {
  /** Puts the command line of a shell into a namespace of a test. */
  readonly confine?: (argv: readonly [string, ...string[]]) => readonly [string, ...string[]]
}

const su = '/usr/bin/su'
const setpriv = '/usr/bin/setpriv'
const environment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  LANG: 'C.UTF-8',
}

/** Opens the terminals of the host. */
export function openTerminals({ confine = (argv) => argv }: TerminalsOptions = {}): Terminals {
  const open = new Set<Terminal>()
  const start = (
    argv: readonly [string, ...string[]],
    env: Readonly<Record<string, string>>,
    { size, onOutput }: { readonly size: Size; readonly onOutput: (bytes: Buffer) => void },
  ): Terminal => {
    const pty = openPty({ argv: confine(argv), env: { ...environment, ...env }, size, onOutput })
    const terminal: Terminal = {
      ...pty,
      hangUp: () => {
        pty.hangUp()
        void hangUpSession(pty.pid)
      },
      kill: () => {
        pty.hangUp()
        return killSession(pty.pid)
      },
    }
    open.add(terminal)
    void pty.ended.then(() => open.delete(terminal))
    return terminal
  }
  return {
    obstacle: () => {
      if (process.getuid?.() !== 0) return 'The panel does not run as root: it can open no terminal'
      return isProgram(su) ? missingLibrary() : `${su} is missing: install the package util-linux`
    },
    open: (username, size, onOutput) => start(loginOf(username), {}, { size, onOutput }),
    openProgram: (program, size, onOutput) => start(asAccount(program), program.env, { size, onOutput }),
    close: async () => void (await Promise.all([...open].map((each) => each.kill()))),
  }
}

/**
 * `su` signs the account in as at any other entrance: uid, gid and supplementary groups, limits and session by
 * PAM, an environment of its own, the home as the folder, and the shell as a login shell.
 */
function loginOf(username: string): readonly [string, ...string[]] {
  const [program, args] = preferForOomKill(su, [
    '--login',
    '--whitelist-environment=COLORTERM,LANG',
    '--',
    username,
  ])
  return [program, ...args]
}

function asAccount({ account, argv }: TerminalProgram): readonly [string, ...string[]] {
  const [program, args] = preferForOomKill(setpriv, [
    `--reuid=${account}`,
    `--regid=${account}`,
    '--init-groups',
    '--no-new-privs',
    '--inh-caps=-all',
    '--',
    ...argv,
  ])
  return [program, ...args]
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
