import { randomUUID } from 'node:crypto'
import type { Caller } from '../../core/caller.ts'
import { Forbidden, Unavailable } from '../../core/problem.ts'
import type { Socket } from '../../core/reply.ts'
import { NotConfigured } from '../../tools/openclaw/index.ts'
import { Session } from '../terminal/index.ts'
import type { Assistant } from './context.ts'
import { TooManyConsoles } from './problems.ts'

const mostOpen = 10
let open = 0

interface Asking {
  readonly caller: Caller
  /** The user that the token was issued for, if it names one. */
  readonly tokenUserId: number | undefined
}

/** Returns the version whose text console is opened; throws unless the caller may use the assistant. */
export async function wantedConsole(
  { tool, terminals }: Assistant,
  { caller: { user, permissions }, tokenUserId }: Asking,
): Promise<string> {
  if (tokenUserId !== undefined && tokenUserId !== user.id)
    throw Forbidden(`token: was issued for user ${tokenUserId}`)
  if (!user.isAdmin && !permissions.has('administrative_operations'))
    throw Forbidden('You need the permission "Administer services of the host". Ask an administrator')
  const version = await tool.currentVersion()
  if (version === undefined) throw NotConfigured()
  const obstacle = terminals.obstacle()
  if (obstacle !== undefined) throw Unavailable(obstacle)
  if (open >= mostOpen) throw TooManyConsoles(`${mostOpen} text consoles are open: close one first`)
  return version
}

/** Returns the function that shows the assistant's text console on a socket, until either of them ends. */
export function showConsole(
  { tool, terminals }: Assistant,
  version: string,
): (socket: Socket) => Promise<void> {
  return async (socket) => {
    open += 1
    try {
      const program = tool.textConsole(version)
      const session = new Session({
        id: randomUUID(),
        open: (size, onOutput) => terminals.openProgram(program, size, onOutput),
        now: () => performance.now(),
      })
      await session.attach(socket, { isResumed: false }).finally(() => session.end('left'))
    } finally {
      open -= 1
    }
  }
}
