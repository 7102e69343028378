import { readFileSync } from 'node:fs'
import type { Files } from '../../../host/files.ts'
import { debianLayout } from '../layout.ts'
import type { HaproxyProgram } from '../program.ts'
import type { HaproxyStarter } from '../start.ts'

/**
 * A stand-in for a running HAProxy without a master: it serves the content that its file had at its last
 * start or reload.
 */
export interface StandInHaproxy {
  readonly program: HaproxyProgram
  readonly starter: HaproxyStarter
  /** The text that it serves; undefined while it is not running. */
  served(): string | undefined
  /** The server states that were set through its socket, by `<backend>/<server>`. */
  states(): Readonly<Record<string, string>>
  set(server: string, state: string): void
}

const bits: Readonly<Record<string, number>> = { maint: 1, drain: 8 }

/** Creates a stand-in over the files of a temporary root. */
export function standInHaproxy(files: Files): StandInHaproxy {
  const read = () => readFileSync(files.real(debianLayout.configPath), 'utf8')
  const states = new Map<string, string>()
  let pid = 1
  let running: { readonly text: string; readonly at: number } | undefined = { text: read(), at: Date.now() }
  const launch = async () => {
    pid++
    running = { text: read(), at: Date.now() }
  }
  const set = (server: string, state: string) =>
    void (state === 'ready' ? states.delete(server) : states.set(server, state))
  const command = async (line: string) => {
    const [, server = '', state = ''] = /^set server (\S+) state (\S+)$/.exec(line) ?? []
    if (server === '') return showStates(states)
    set(server, state)
    return '\n'
  }
  return {
    served: () => running?.text,
    states: () => Object.fromEntries(states),
    set,
    starter: {
      start: launch,
      reload: launch,
      stop: async () => void (running = undefined),
      errorsSince: async () => undefined,
    },
    program: {
      version: async () => '2.6.12',
      check: async () => ({ isAccepted: true, message: '', durationMs: 0 }),
      processes: async () => undefined,
      running: async () => (running === undefined ? [] : [pid]),
      generation: async () => (running === undefined ? undefined : String(pid)),
      signalReload: () => {},
      // the clock of a file system is too coarse to distinguish a start from a write a moment later
      startedAt: async () => (running === undefined || running.text === read() ? running?.at : 0),
      command: async (_place, line) => (running === undefined ? undefined : command(line)),
    },
  }
}

function showStates(states: ReadonlyMap<string, string>): string {
  const rows = [...states].map(([name, state]) => `3 ${name.replace('/', ' 1 ')} 127.0.0.1 2 ${bits[state]}`)
  return ['1', '# be_id be_name srv_id srv_name srv_addr srv_op_state srv_admin_state', ...rows, ''].join(
    '\n',
  )
}
