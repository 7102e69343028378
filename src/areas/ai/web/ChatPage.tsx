import { Badge, Button, Group, NativeSelect, Paper, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { readEvents } from '../../../web/event-stream.ts'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { readAgain } from '../../../web/queries.ts'
import { textOf } from '../../../web/wire.ts'
import { ai } from './api.ts'
import { AssistantFrame } from './AssistantFrame.tsx'
import { type ChatStreamEvent, type Message, withEvent, withQuestion } from './chat-state.ts'
import { done } from './done.ts'
import { useSessions } from './queries.ts'

const mainSession = 'agent:main:main'

/** The conversation with the assistant, or its setup. */
export const ChatPage = () => <AssistantFrame>{({ ready }) => <Chat isReady={ready} />}</AssistantFrame>

function Chat({ isReady }: { readonly isReady: boolean }) {
  const [session, setSession] = useState(mainSession)
  const [isClearing, setClearing] = useState(false)
  const chat = useChat(session)
  const sessions = useSessions()
  const keys = [...new Set([mainSession, ...(sessions.data ?? []).map((each) => each.session)])]
  const close = () => setClearing(false)
  return (
    <SectionCard title="Chat">
      <Group align="flex-end">
        <NativeSelect
          label="Conversation"
          data={keys}
          value={session}
          disabled={chat.isAnswering}
          onChange={(event) => {
            setSession(event.currentTarget.value)
            chat.forget()
          }}
        />
        <Button variant="default" disabled={!isReady || chat.isAnswering} onClick={() => setClearing(true)}>
          Clear
        </Button>
      </Group>
      <Messages messages={chat.messages} />
      <Question isDisabled={!isReady} isAnswering={chat.isAnswering} onSend={chat.send} onStop={chat.stop} />
      {isClearing && (
        <ChangeDialog
          title={`Clear ${session}`}
          confirmLabel="Clear it"
          call={ai.resetChatSession({ body: { sessionKey: session } })}
          onClose={close}
          onDone={() => {
            chat.forget()
            return done(close, 'The conversation is empty.')
          }}
        />
      )}
    </SectionCard>
  )
}

/** The messages of a conversation since the page was opened, and the one that is on its way. */
function useChat(sessionKey: string) {
  const [messages, setMessages] = useState<readonly Message[]>([])
  const [isAnswering, setAnswering] = useState(false)
  const leaving = useRef(new AbortController())
  useEffect(() => () => leaving.current.abort(), [])
  const add = (event: ChatStreamEvent) => setMessages((all) => withEvent(all, event))
  const send = async (message: string) => {
    leaving.current = new AbortController()
    const { signal } = leaving.current
    setMessages((all) => withQuestion(all, message))
    setAnswering(true)
    try {
      const call = ai.streamChatMessage({ body: { message, sessionKey } })
      for await (const { value } of readEvents<ChatStreamEvent>(call, 0, signal)) add(value)
    } catch (error) {
      add({
        type: 'error',
        message: signal.aborted ? 'You left the answer: the assistant goes on.' : textOf(error),
      })
    }
    setAnswering(false)
    void readAgain('ai')
  }
  return {
    messages,
    isAnswering,
    send: (message: string) => void send(message),
    stop: () => leaving.current.abort(),
    forget: () => setMessages([]),
  }
}

const colors = { running: 'indigo', done: 'green', failed: 'red' } as const

function Messages({ messages }: { readonly messages: readonly Message[] }) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [messages])
  return (
    <Stack gap="sm" role="log" aria-label="Messages" aria-live="polite">
      {messages.length === 0 && (
        <Text size="sm" c="dimmed">
          Ask the assistant about this host, or have it do something.
        </Text>
      )}
      {messages.map(({ from, text, tools, failure }, index) => (
        <Paper key={index} withBorder p="sm" radius="md" className="anywhere">
          <Text size="xs" c="dimmed">
            {from === 'you' ? 'You' : 'Assistant'}
          </Text>
          {tools.length > 0 && (
            <Group gap="xs" my={4} role="group" aria-label="Tools">
              {tools.map((tool, at) => (
                <Badge key={at} variant="light" tt="none" color={colors[tool.state]}>
                  {tool.name}: {tool.state}
                </Badge>
              ))}
            </Group>
          )}
          <Text style={{ whiteSpace: 'pre-wrap' }}>{text || (failure === undefined ? '…' : '')}</Text>
          {failure !== undefined && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {failure}
            </Text>
          )}
        </Paper>
      ))}
      <div ref={end} />
    </Stack>
  )
}

interface QuestionProps {
  readonly isDisabled: boolean
  readonly isAnswering: boolean
  readonly onSend: (message: string) => void
  readonly onStop: () => void
}

function Question({ isDisabled, isAnswering, onSend, onStop }: QuestionProps) {
  const [text, setText] = useState('')
  const send = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (text.trim() === '' || isAnswering || isDisabled) return
    onSend(text)
    setText('')
  }
  return (
    <Stack component="form" gap="xs" onSubmit={send}>
      <Textarea
        label="Message"
        description="Enter sends it; Shift+Enter begins a new line"
        autosize
        minRows={2}
        maxRows={10}
        maxLength={100_000}
        disabled={isDisabled}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send(event)
        }}
      />
      <Group>
        <Button type="submit" loading={isAnswering} disabled={isDisabled}>
          Send
        </Button>
        {isAnswering && (
          <Button variant="default" onClick={onStop}>
            Leave the answer
          </Button>
        )}
      </Group>
    </Stack>
  )
}
