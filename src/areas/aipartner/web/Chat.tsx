import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { readAgain } from '../../../web/queries.ts'
import { longestMessage } from '../model.ts'
import classes from './Chat.module.css'
import { Connection, type State } from './connection.ts'
import { type Conversation, type Line, noConversation, withFrame, withMessage } from './conversation.ts'

const texts = {
  connecting: 'Connecting …',
  connected: 'Connected.',
  lost: 'The connection was lost: connecting again …',
}
const names = { user: 'You', assistant: 'AI partner', notice: 'Notice' }

/** The chat with the partner, after what was written before. */
export function Chat({ before }: { readonly before: readonly Line[] }) {
  const [conversation, setConversation] = useState<Conversation>({ ...noConversation, lines: before })
  const [state, setState] = useState<State>({ is: 'connecting' })
  const [text, setText] = useState('')
  const connection = useRef<Connection>(undefined)
  const open = useEffectEvent(
    () =>
      new Connection({
        onState: setState,
        onFrame: (frame) => {
          setConversation((on) => withFrame(on, frame))
          if (frame.type === 'blocked') void readAgain('aipartner')
        },
      }),
  )
  useEffect(() => {
    const opened = open()
    connection.current = opened
    return () => opened.leave()
  }, [])
  const send = () => {
    const message = text.trim()
    if (message === '' || connection.current?.send(message) !== true) return
    setConversation((on) => withMessage(on, message))
    setText('')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <Stack gap="md">
      <Lines conversation={conversation} />
      {conversation.isBlocked && <Alert color="orange" title="The AI partner has blocked the trial" />}
      <form onSubmit={submit}>
        <Textarea
          label="Message"
          description="Enter sends it, Shift and Enter begin a new line."
          autosize
          minRows={2}
          maxRows={10}
          maxLength={longestMessage}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Group justify="space-between" gap="xs" mt="sm">
          <Text size="sm" c="dimmed" role="status">
            {state.is === 'ended' ? state.reason : texts[state.is]}
          </Text>
          <Button type="submit" disabled={state.is !== 'connected' || conversation.isBlocked}>
            Send
          </Button>
        </Group>
      </form>
    </Stack>
  )
}

function Lines({ conversation: { lines, isTyping } }: { readonly conversation: Conversation }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [lines, isTyping])
  return (
    <div ref={box} className={classes['lines']} role="log" aria-label="Chat" tabIndex={0}>
      {lines.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing has been written yet.
        </Text>
      )}
      {lines.map(({ from, text }, index) => (
        <div key={index} className={`${classes['line']} ${classes[from] ?? ''}`}>
          <Text size="xs" c="dimmed">
            {names[from]}
          </Text>
          <Text size="sm">{text}</Text>
        </div>
      ))}
      {isTyping && (
        <Text size="sm" c="dimmed">
          The AI partner is typing …
        </Text>
      )}
    </div>
  )
}
