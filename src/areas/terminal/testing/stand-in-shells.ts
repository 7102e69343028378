import type { Size, Terminal, Terminals } from '../../../host/terminal/index.ts'

/** A shell that a test plays: what was done to it, and how it prints and ends. */
export interface StandInShell {
  readonly username: string
  readonly typed: string[]
  readonly sizes: Size[]
  isPaused: boolean
  /** How the terminal was ended. */
  endedBy: 'hang-up' | 'kill' | undefined
  print(text: string | Buffer): void
  exit(code: number): void
}

/** Login shells without programs, in the order in which they were opened. */
export interface StandInShells extends Terminals {
  readonly opened: StandInShell[]
  problem: string | undefined
}

/** Opens terminals whose shells a test plays. */
export function standInShells(): StandInShells {
  const opened: StandInShell[] = []
  const shells: StandInShells = {
    opened,
    problem: undefined,
    obstacle: () => shells.problem,
    open: (username, size, onOutput) => {
      const { shell, terminal } = standIn(username, size, onOutput)
      opened.push(shell)
      return terminal
    },
    openProgram: ({ account }, size, onOutput) => shells.open(account, size, onOutput),
    close: async () => {},
  }
  return shells
}

function standIn(username: string, size: Size, print: (bytes: Buffer) => void) {
  const ended = Promise.withResolvers<number>()
  const shell: StandInShell = {
    username,
    typed: [],
    sizes: [size],
    isPaused: false,
    endedBy: undefined,
    print: (text) => print(Buffer.from(text)),
    exit: (code) => ended.resolve(code),
  }
  const end = (by: 'hang-up' | 'kill') => {
    shell.endedBy ??= by
    ended.resolve(129)
  }
  const terminal: Terminal = {
    write: async (bytes) => void shell.typed.push(Buffer.from(bytes).toString()),
    resize: (next) => void shell.sizes.push(next),
    pause: () => void (shell.isPaused = true),
    resume: () => void (shell.isPaused = false),
    hangUp: () => end('hang-up'),
    kill: async () => end('kill'),
    ended: ended.promise,
  }
  return { shell, terminal }
}
