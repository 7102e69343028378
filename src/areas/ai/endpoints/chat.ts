import Type from 'typebox'
import { socketToken } from '../../../core/guard.ts'
import { data, events, socket } from '../../../core/reply.ts'
import { Secret } from '../../../core/schemas.ts'
import {
  AuthFailed,
  AuthRejected,
  ChallengeFailed,
  ConfigUnreadable,
  GatewayUnavailable,
  NotConfigured,
} from '../../../tools/openclaw/index.ts'
import * as chats from '../chat.ts'
import { endpoint } from '../context.ts'
import { asking, ofThisHost } from '../failures.ts'
import {
  ChatDraft,
  ChatEvent,
  ChatPoll,
  ChatPollQuery,
  ChatReply,
  ChatSessions,
  Done,
  SessionReset,
} from '../model.ts'
import { TooManyConsoles } from '../problems.ts'
import { showConsole, wantedConsole } from '../text-console.ts'

const chatMs = 600_000

export const sendChatMessage = endpoint({
  method: 'POST',
  path: '/chat',
  summary: 'Send a message to the assistant, and wait for its answer',
  effect: 'probes',
  body: ChatDraft,
  reply: data(ChatReply),
  timeoutMs: chatMs,
  throws: asking,
  run: ({ ai, body, signal }) => chats.chat(ai, body, signal),
})

export const streamChatMessage = endpoint({
  method: 'POST',
  path: '/chat-stream',
  summary: 'Send a message to the assistant, and follow its answer',
  description:
    'The events are `start`, `chunk` for each part of the answer, `tool` for each use of a tool, and `done` with the whole answer; a failure after the start is an event `error`. Leaving the stream does not stop the assistant: the answer is in `chat/poll`.',
  effect: 'probes',
  body: ChatDraft,
  reply: events(ChatEvent),
  throws: {
    ai_not_configured: NotConfigured,
    gateway_unavailable: GatewayUnavailable,
    challenge_failed: ChallengeFailed,
    auth_failed: AuthFailed,
    auth_rejected: AuthRejected,
    parse_failed: ConfigUnreadable,
  },
  run: ({ ai, body, signal }) => chats.streamChat(ai, body, signal),
})

export const pollChatReply = endpoint({
  method: 'GET',
  path: '/chat/poll',
  summary: 'Read the last answer of the assistant in a conversation',
  effect: 'reads',
  query: ChatPollQuery,
  reply: data(ChatPoll),
  run: ({ ai, query }) => chats.pollChat(ai, query.sessionKey),
})

export const listChatSessions = endpoint({
  method: 'GET',
  path: '/sessions',
  summary: 'List the conversations with the assistant, the last used first',
  effect: 'reads',
  reply: data(ChatSessions),
  throws: asking,
  run: ({ ai }) => chats.listSessions(ai),
})

export const resetChatSession = endpoint({
  method: 'POST',
  path: '/sessions/reset',
  summary: 'Empty a conversation with the assistant',
  effect: 'destroys',
  category: ofThisHost,
  body: SessionReset,
  reply: data(Done),
  throws: asking,
  run: ({ ai, body }) => chats.resetSession(ai, body.sessionKey),
})

export const openTextConsole = endpoint({
  method: 'GET',
  path: '/tui',
  summary: 'Open the text console of the assistant',
  description:
    'Messages are those of the terminal of a user; the console ends with the connection. The token is a socket token for the purpose `ai-tui`.',
  effect: 'probes',
  guard: socketToken('ai-tui'),
  query: Type.Object({
    token: Secret({ maxLength: 2000, description: 'Socket token for the purpose `ai-tui`, used once' }),
  }),
  reply: socket,
  throws: { ai_not_configured: NotConfigured, conflict: TooManyConsoles },
  target: ({ ai, caller, tokenUserId }) => wantedConsole(ai, { caller, tokenUserId }),
  run: ({ ai, target }) => showConsole(ai, target),
})
