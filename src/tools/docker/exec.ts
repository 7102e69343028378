import type { Duplex } from 'node:stream'
import Type from 'typebox'
import type { Run } from '../../host/run.ts'
import type { Engine } from './engine.ts'
import { Made } from './shapes.ts'

/** A program on a terminal in a container. */
export interface ContainerTerminal {
  /** What is typed and printed. */
  readonly stream: Duplex
  resize(size: { readonly cols: number; readonly rows: number }): Promise<void>
  /** Ends the program if it still runs; returns its exit code, or null if it had to be ended. */
  end(): Promise<number | null>
}

const ExecState = Type.Object({
  Running: Type.Boolean(),
  ExitCode: Type.Union([Type.Integer(), Type.Null()]),
  Pid: Type.Integer(),
})

/** Starts a program in a running container, on a terminal of its own. */
export async function openTerminal(
  { engine, run }: { readonly engine: Engine; readonly run: Run },
  id: string,
  command: readonly string[],
): Promise<ContainerTerminal> {
  const { Id: exec } = await engine.read(Made, {
    method: 'POST',
    path: `/containers/${encodeURIComponent(id)}/exec`,
    body: {
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      Tty: true,
      Cmd: command,
      Env: ['TERM=xterm-256color'],
    },
  })
  const body = { Detach: false, Tty: true }
  const stream = await engine.upgrade({ method: 'POST', path: `/exec/${exec}/start`, body }, 'tcp')
  return {
    stream,
    resize: ({ cols, rows }) =>
      engine.send({ method: 'POST', path: `/exec/${exec}/resize?h=${rows}&w=${cols}` }),
    end: async () => {
      stream.destroy()
      const state = await engine.find(ExecState, `/exec/${exec}/json`)
      if (state?.Running !== true) return state?.ExitCode ?? null
      // the engine has no request that ends it; what runs on its terminal receives SIGHUP from the kernel
      if (state.Pid > 1) await run(['kill', '-KILL', '--', String(state.Pid)], { timeoutMs: 5000 })
      return null
    },
  }
}
