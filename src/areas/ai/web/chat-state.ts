import type { ChatEvent } from '../model.ts'

/** One message on the page. */
export interface Message {
  readonly from: 'you' | 'assistant'
  readonly text: string
  /** The tools that were used for it, with their state. */
  readonly tools: readonly { readonly name: string; readonly state: 'running' | 'done' | 'failed' }[]
  readonly failure?: string
}

/** An event of the stream, among them the failure after its start. */
export type ChatStreamEvent = ChatEvent | { readonly type: 'error'; readonly message: string }

/** Returns the messages with a message of the reader, and the empty answer that events fill. */
export const withQuestion = (messages: readonly Message[], text: string): readonly Message[] => [
  ...messages,
  { from: 'you', text, tools: [] },
  { from: 'assistant', text: '', tools: [] },
]

/** Returns the messages after an event of the answer, which is the last of them. */
export function withEvent(messages: readonly Message[], event: ChatStreamEvent): readonly Message[] {
  const last = messages.at(-1)
  if (last === undefined) return messages
  return [...messages.slice(0, -1), answered(last, event)]
}

function answered(message: Message, event: ChatStreamEvent): Message {
  if (event.type === 'chunk') return { ...message, text: message.text + event.content }
  if (event.type === 'done') return { ...message, text: event.content || '(no reply)' }
  if (event.type === 'error') return { ...message, failure: event.message }
  if (event.type === 'start') return message
  const { name, phase, is_error: isError } = event
  if (phase === 'start') return { ...message, tools: [...message.tools, { name, state: 'running' }] }
  const ended = message.tools.findLastIndex((tool) => tool.name === name && tool.state === 'running')
  const state = isError ? ('failed' as const) : ('done' as const)
  return {
    ...message,
    tools: message.tools.map((tool, index) => (index === ended ? { ...tool, state } : tool)),
  }
}
