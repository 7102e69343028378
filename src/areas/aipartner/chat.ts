import type { Caller } from '../../core/caller.ts'
import { Busy, Conflict, Forbidden } from '../../core/problem.ts'
import type { Socket } from '../../core/reply.ts'
import { isOver } from './activate.ts'
import type { Partner } from './context.ts'
import { NotActivated } from './problems.ts'
import { Relay } from './relay.ts'

const [mostChats, mostPerUser] = [100, 5]

interface Asked {
  readonly caller: Caller
  /** The user that the token was issued for, if it names one. */
  readonly tokenUserId: number | undefined
  readonly now: Date
}

/** Returns the user whose chat is opened; throws unless there is a trial, and room for one more chat. */
export async function wantedChat(on: Partner, { caller, tokenUserId, now }: Asked): Promise<number> {
  const { id } = caller.user
  if (tokenUserId !== undefined && tokenUserId !== id)
    throw Forbidden(`token: was issued for the chat of user ${tokenUserId}, and a chat is its user's alone`)
  const trial = await on.queries.trial()
  if (trial === undefined) throw NotActivated()
  if (isOver(trial, now)) throw NotActivated(`The trial ended at ${trial.expires_at}`)
  assertRoom(on, id)
  return id
}

function assertRoom({ chats }: Partner, userId: number): void {
  const own = [...chats].filter((chat) => chat.userId === userId)
  if (own.length >= mostPerUser) throw Conflict(`You have ${own.length} open chats: close one first`)
  if (chats.size >= mostChats) throw Busy(`${chats.size} chats are open: close one first`)
}

/** Returns the function that carries a chat between a browser and the partner until the browser leaves. */
export function showChat(on: Partner, userId: number): (socket: Socket) => Promise<void> {
  return async (socket) => {
    assertRoom(on, userId) // others may have been opened since the request was answered
    const chat = { userId }
    on.chats.add(chat)
    try {
      await new Relay(on, { socket, userId }).carry()
    } finally {
      on.chats.delete(chat)
    }
  }
}
