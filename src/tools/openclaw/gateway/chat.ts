import { isRecord } from '../json5.ts'
import { GatewayFailed } from '../problems.ts'
import { connectGateway, type GatewayConnection, type GatewayTarget, messageOf } from './connect.ts'
import type { Frame } from './frames.ts'

export interface ChatRequest {
  readonly message: string
  readonly sessionKey: string
  /** Identifies the message: one that is sent twice is answered once. */
  readonly id: string
}

/** What a conversation tells while the assistant answers. */
export type ChatEvent =
  | { readonly type: 'start' }
  | { readonly type: 'chunk'; readonly content: string }
  | {
      readonly type: 'tool'
      readonly name: string
      readonly phase: 'start' | 'end'
      readonly is_error: boolean
    }
  | { readonly type: 'done'; readonly content: string }

const longestName = 200

/** Connects and sends a message; returns the events of its answer. What fails after that fails the events. */
export async function openChat(target: GatewayTarget, asked: ChatRequest): Promise<AsyncIterable<ChatEvent>> {
  const connection = await connectGateway(target)
  connection.request('send', 'chat.send', {
    sessionKey: asked.sessionKey,
    message: asked.message,
    idempotencyKey: asked.id,
  })
  return answersOf(connection, asked.id)
}

async function* answersOf(connection: GatewayConnection, runId: string): AsyncGenerator<ChatEvent> {
  let text = ''
  try {
    for (;;) {
      const frame = await connection.next()
      if (frame === undefined) throw GatewayFailed(`OpenClaw: ${connection.end ?? 'the answer broke off'}`)
      const event = eventOf(frame, runId, text)
      if (event === undefined) continue
      if (event.type === 'chunk') text += event.content
      yield event
      if (event.type === 'done') return
    }
  } finally {
    connection.close()
  }
}

function eventOf(frame: Frame, runId: string, textSoFar: string): ChatEvent | undefined {
  if (frame.type === 'res') {
    if (frame.id !== 'send') return undefined
    if (!frame.isOk) throw GatewayFailed(`OpenClaw: ${messageOf(frame.error)}`)
    return { type: 'start' }
  }
  if (frame.payload['runId'] !== runId) return undefined
  if (frame.event === 'agent') return toolEventOf(frame.payload)
  return frame.event === 'chat' ? chatEventOf(frame.payload, textSoFar) : undefined
}

function chatEventOf(payload: Frame['payload'], textSoFar: string): ChatEvent | undefined {
  const { state, deltaText, message, errorMessage } = payload
  if (state === 'delta')
    return typeof deltaText === 'string' && deltaText !== ''
      ? { type: 'chunk', content: deltaText }
      : undefined
  if (state === 'error')
    throw GatewayFailed(
      `OpenClaw: ${typeof errorMessage === 'string' ? errorMessage.slice(0, 1000) : 'the model failed'}`,
    )
  if (state === 'final' || state === 'aborted') return { type: 'done', content: textOf(message) || textSoFar }
  return undefined
}

/** The calls of tools are events of the agent; its other events repeat the text. */
function toolEventOf({ stream, data }: Frame['payload']): ChatEvent | undefined {
  if (stream !== 'tool' || !isRecord(data)) return undefined
  const { name, phase, isError } = data
  if (typeof name !== 'string' || (phase !== 'start' && phase !== 'result')) return undefined
  return {
    type: 'tool',
    name: name.slice(0, longestName),
    phase: phase === 'start' ? 'start' : 'end',
    is_error: isError === true,
  }
}

/** The text of a message, which consists of parts. */
export function textOf(message: unknown): string {
  const content = isRecord(message) ? message['content'] : undefined
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown) => (isRecord(part) && part['type'] === 'text' ? String(part['text'] ?? '') : ''))
    .join('')
}
