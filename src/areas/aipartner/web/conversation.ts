import type { Frame } from './connection.ts'

/** One entry of a chat, as it is shown. */
export interface Line {
  readonly from: 'user' | 'assistant' | 'notice'
  readonly text: string
}

/** What is shown of a chat. */
export interface Conversation {
  readonly lines: readonly Line[]
  readonly isTyping: boolean
  readonly isBlocked: boolean
}

export const noConversation: Conversation = { lines: [], isTyping: false, isBlocked: false }

/** The conversation after the reader has sent a message. */
export const withMessage = ({ lines, ...rest }: Conversation, text: string): Conversation => ({
  ...rest,
  lines: [...lines, { from: 'user', text }],
})

/** The conversation after a frame of the partner. */
export function withFrame(on: Conversation, { type, text = '' }: Frame): Conversation {
  if (type === 'typing') return { ...on, isTyping: true }
  const isBlocked = on.isBlocked || type === 'blocked'
  const from = type === 'done' ? 'assistant' : 'notice'
  const last = on.lines.at(-1)
  const isRepeated = from === 'notice' && last?.from !== 'user' && last?.text === text
  const lines = text === '' || isRepeated ? on.lines : [...on.lines, { from, text } as const]
  return { lines, isTyping: false, isBlocked }
}
