import { randomUUID } from 'node:crypto'
import type { StreamEvent } from '../../core/reply.ts'
import { type Change, change, step } from '../../core/change.ts'
import { NotConfigured, textAt } from '../../tools/openclaw/index.ts'
import { type Assistant, assistantLock } from './context.ts'
import { loadAssistant } from './edit.ts'
import type { ChatDraft, ChatEvent, ChatPoll, ChatSessions } from './model.ts'
import { attempt, showTime } from './status.ts'

const noReply = '(no reply)'

/** Sends a message, and waits for the whole answer. */
export async function chat(on: Assistant, draft: ChatDraft, signal: AbortSignal): Promise<{ reply: string }> {
  let reply = ''
  for await (const event of await opened(on, draft, signal)) if (event.type === 'done') reply = event.content
  return { reply: reply.trim() === '' ? noReply : reply }
}

/** Sends a message; its answer arrives as events, once the assistant has accepted the panel. */
export async function streamChat(
  on: Assistant,
  draft: ChatDraft,
  signal: AbortSignal,
): Promise<AsyncIterable<StreamEvent<ChatEvent>>> {
  const answer = await opened(on, draft, signal)
  return (async function* () {
    for await (const value of answer) yield { value }
  })()
}

async function opened({ tool, queries }: Assistant, { message, sessionKey }: ChatDraft, signal: AbortSignal) {
  if ((await queries.find()) === undefined) throw NotConfigured()
  return tool.openChat({ message, sessionKey, id: randomUUID() }, signal)
}

/** Returns the last answer in a conversation, also one whose reader has left; its failures are values. */
export async function pollChat({ tool, queries }: Assistant, sessionKey: string): Promise<ChatPoll> {
  const nothing = { lastReply: '', timestamp: null }
  const isSetUp = (await queries.find()) !== undefined
  const config = await attempt(() => tool.readConfig())
  if (config.reason !== null) return { status: 'error', ...nothing, error: config.reason }
  if (!isSetUp || textAt(config.value, 'gateway.auth.token') === undefined)
    return { status: 'not_configured', ...nothing }
  const { value: last, reason } = await attempt(() => tool.lastReply(sessionKey))
  if (reason !== null) return { status: 'error', ...nothing, error: reason }
  return { status: 'ok', lastReply: last?.text ?? '', timestamp: showTime(last?.atMs) }
}

/** Lists the conversations, the last used first. */
export async function listSessions({ tool }: Assistant): Promise<ChatSessions> {
  const sessions = await tool.listSessions()
  return {
    sessions: sessions.map(({ key, title, updatedAtMs }) => ({
      session: key,
      title,
      updated_at: showTime(updatedAtMs),
    })),
  }
}

/** Empties a conversation. */
export async function resetSession(on: Assistant, sessionKey: string): Promise<Change<{ message: string }>> {
  await loadAssistant(on)
  return change({
    summary: `Clear the conversation ${sessionKey} of the assistant`,
    locks: [assistantLock],
    steps: [step(on.tool.steps.clearSessions, { key: sessionKey })],
    reply: { message: `The conversation ${sessionKey} is empty` },
  })
}
