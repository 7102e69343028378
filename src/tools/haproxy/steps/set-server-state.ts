import type { StepKind } from '../../../core/change.ts'
import { NotRunning } from '../problems.ts'
import type { HaproxyParts } from '../index.ts'
import { parseForced, type ServerState, setState } from '../states.ts'

export interface SetStateArgs {
  readonly backend: string
  readonly server: string
  readonly state: ServerState
}

/** The step that takes a server out of service, or back, through the socket alone. */
export function setServerState({
  program,
  socketPlace,
}: HaproxyParts): StepKind<SetStateArgs, { readonly state: ServerState }, null> {
  const present = async ({ backend, server }: SetStateArgs): Promise<ServerState> => {
    const forced = parseForced((await program.command(await socketPlace(), 'show servers state')) ?? '')
    return forced.find((each) => each.backend === backend && each.server === server)?.state ?? 'ready'
  }
  const set = async (args: SetStateArgs) => {
    const message = await setState(program, await socketPlace(), args)
    if (message !== undefined) throw NotRunning(`state: ${message}`)
  }
  return {
    name: 'haproxy.set-server-state',
    plan: ({ backend, server, state }) => ({ title: `Set the server ${backend}/${server} to ${state}` }),
    observe: async (args) => ({ state: await present(args) }),
    act: async (args) => {
      await set(args)
      return null
    },
    undo: async (args, before) => {
      if ((await present(args)) !== before.state) await set({ ...args, state: before.state })
    },
    check: async (args, before) => {
      const now = await present(args)
      if (now === args.state) return 'wanted'
      return now === before.state ? 'before' : 'other'
    },
  }
}
