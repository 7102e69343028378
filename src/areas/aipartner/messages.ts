import { type Change, change } from '../../core/change.ts'
import type { Partner } from './context.ts'
import type { PartnerMessages } from './model.ts'
import { messages } from './store.ts'

/** Reads what a user and the partner have written, the oldest first. */
export async function listMessages({ queries }: Partner, userId: number): Promise<PartnerMessages> {
  const rows = await queries.messagesOf(userId)
  return { messages: rows.map(({ id, role, text, created_at }) => ({ id, role, text, created_at })) }
}

/** Decides to delete the messages of a user. */
export function clearMessages(userId: number): Change<{ readonly cleared: true }> {
  return change({
    summary: 'Clear your chat with the AI partner',
    rows: [messages.delete({ user_id: userId })],
    reply: { cleared: true as const },
  })
}
