import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import { NotRunning } from '../problems.ts'
import type { HaproxyParts } from '../parts.ts'
import { type ForcedState, parseForced, type ServerState, setState } from '../states.ts'

/** The step that takes a server out of service, or back into service, only through the socket. */
export function setServerState({
  program,
  socketAddress,
}: HaproxyParts): StepKind<ForcedState, Was<ServerState>, null> {
  return stateStep({
    name: 'haproxy.set-server-state',
    plan: ({ backend, server, state }) => ({ title: `Set the server ${backend}/${server} to ${state}` }),
    read: async ({ backend, server }): Promise<ServerState> => {
      const answer = (await program.command(await socketAddress(), 'show servers state')) ?? ''
      const forced = parseForced(answer)
      return forced.find((each) => each.backend === backend && each.server === server)?.state ?? 'ready'
    },
    wanted: ({ state }) => state,
    changed: ({ backend, server }, was, wanted) => ({
      objects: [{ name: `${backend}/${server}`, before: was ?? null, after: wanted ?? null }],
    }),
    write: async (args, state = 'ready') => {
      const refusal = await setState(program, await socketAddress(), { ...args, state })
      if (refusal !== undefined) throw NotRunning(`state: ${refusal}`)
    },
  })
}
