import { poll } from '../../core/poll.ts'
import type { HaproxyProgram } from './program.ts'
import type { SocketAddress } from './socket.ts'

export type ServerState = 'ready' | 'drain' | 'maint'

/**
 * A server that was taken out of service through the socket; the configuration does not contain this state.
 */
export interface ForcedState {
  readonly backend: string
  readonly server: string
  readonly state: ServerState
}

const forcedMaint = 0x01
const forcedDrain = 0x08

/**
 * Returns the servers whose state was set manually in the running HAProxy; undefined when it does not answer.
 */
export async function readForced(
  program: HaproxyProgram,
  address: SocketAddress | undefined,
): Promise<readonly ForcedState[] | undefined> {
  const answer = (await program.command(address, 'show servers state')) ?? ''
  return answer.includes('# be_id') ? parseForced(answer) : undefined
}

/** Parses `show servers state`: returns the servers whose state was set manually. */
export function parseForced(text: string): readonly ForcedState[] {
  const lines = text.split('\n')
  const names = lines
    .find((line) => line.startsWith('# be_id'))
    ?.slice(2)
    .split(' ')
  if (names === undefined) return []
  const column = (name: string) => names.indexOf(name)
  const most = column('srv_admin_state') + 1
  return lines.flatMap((line) => {
    const fields = line.split(' ', most)
    const admin = Number(fields[column('srv_admin_state')])
    if (
      line.startsWith('#') ||
      fields.length < most ||
      !Number.isInteger(admin) ||
      (admin & (forcedMaint | forcedDrain)) === 0
    )
      return []
    return [
      {
        backend: fields[column('be_name')]!,
        server: fields[column('srv_name')]!,
        state: admin & forcedMaint ? ('maint' as const) : ('drain' as const),
      },
    ]
  })
}

/**
 * Sets the state of a server in the running HAProxy; returns HAProxy's message when it refuses, undefined on
 * success.
 */
export async function setState(
  program: HaproxyProgram,
  address: SocketAddress | undefined,
  { backend, server, state }: ForcedState,
): Promise<string | undefined> {
  const answer = await program.command(address, `set server ${backend}/${server} state ${state}`)
  if (answer === undefined) return 'HAProxy does not answer on its socket'
  return answer.trim() === '' ? undefined : answer.trim()
}

/** Makes a reload while the states of servers are restored in the new processes. */
export type KeepingStates = <Outcome>(reload: () => Promise<Outcome>) => Promise<Outcome>

const restoringMs = 60_000

/**
 * Saves the manually set states; the returned function makes a reload, and sets them again in the new processes
 * while these start and once more afterwards: a new process serves requests before the reload is known to be
 * complete. A server that no longer exists is skipped.
 */
export async function keepStates(
  program: HaproxyProgram,
  address: () => Promise<SocketAddress | undefined>,
): Promise<KeepingStates> {
  const forced = parseForced((await program.command(await address(), 'show servers state')) ?? '')
  return async (reload) => {
    if (forced.length === 0) return reload()
    const now = await address()
    const restore = async () => {
      for (const each of forced) await setState(program, now, each)
    }
    const isReloaded = new AbortController()
    const restoring = poll(restore, { limitMs: restoringMs, everyMs: 1, signal: isReloaded.signal })
    try {
      return await reload()
    } finally {
      isReloaded.abort()
      await restoring
      await restore()
    }
  }
}
