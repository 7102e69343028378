import { Alert, Button, Group, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { Call } from '../call.ts'
import { run } from '../client.ts'
import { ApiError } from '../wire.ts'
import { notify } from './notices.tsx'
import { Failure } from './states.tsx'

interface CountdownProps {
  /** What was changed. */
  readonly summary: string
  /** The deadline, as the panel has it. */
  readonly confirmBefore: string
  readonly confirm: Call
  /** Confirms over a connection that proves nothing, such as one over loopback. */
  readonly confirmUnproven: Call
  readonly cancel: Call
  /** Reads the state again: after a confirmation, a cancel, and the deadline. */
  readonly onEnd: () => unknown
}

/** A provisional change with the seconds that are left: it is confirmed, undone by hand, or undone at the deadline. */
export function Countdown(props: CountdownProps) {
  const { summary, confirmBefore, confirm, confirmUnproven, cancel, onEnd } = props
  const left = useSecondsUntil(confirmBefore, onEnd)
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const send = async (call: Call, done: string) => {
    setSending(true)
    setFailure(undefined)
    try {
      await overNewConnection(call)
      notify(done)
    } catch (error) {
      setFailure(error)
    }
    setSending(false)
    await onEnd()
  }
  return (
    <Alert color="orange" title={`Confirm within ${left} s: ${summary}`} role="alert">
      <Text size="sm" mb="sm">
        The change is in effect. Check that you still reach what you need. Without a confirmation it is
        undone.
      </Text>
      <Group gap="sm">
        <Button size="xs" loading={isSending} onClick={() => void send(confirm, 'The change was confirmed.')}>
          Confirm
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={isSending}
          onClick={() => void send(cancel, 'The change was undone.')}
        >
          Undo now
        </Button>
      </Group>
      {isUnproven(failure) ? (
        <Group gap="sm" mt="sm">
          <Text size="sm">
            This page is open over loopback or through a proxy, which the change does not affect. Open it at
            another address of the host to prove that it can be reached.
          </Text>
          <Button
            size="xs"
            color="red"
            loading={isSending}
            onClick={() => void send(confirmUnproven, 'The change was confirmed.')}
          >
            I have a console: confirm anyway
          </Button>
        </Group>
      ) : (
        failure !== undefined && <Failure error={failure} />
      )}
    </Alert>
  )
}

const isUnproven = (failure: unknown): boolean =>
  failure instanceof ApiError && failure.code === 'connection_unproven'

const mostTries = 8

/** The panel refuses a confirmation over a connection that is older than the change, and closes it: the next try opens another. */
async function overNewConnection(call: Call): Promise<unknown> {
  for (let count = 1; ; count += 1) {
    try {
      return await run(call)
    } catch (error) {
      const isOld = error instanceof ApiError && error.status === 409 && !isUnproven(error)
      if (!isOld || count === mostTries) throw error
    }
  }
}

function useSecondsUntil(time: string, onEnd: () => unknown): number {
  const secondsLeft = () => Math.max(0, Math.ceil((Date.parse(time) - Date.now()) / 1000))
  const [left, setLeft] = useState(secondsLeft)
  useEffect(() => {
    const timer = setInterval(() => {
      setLeft(secondsLeft())
      if (secondsLeft() === 0) void onEnd()
    }, 1000)
    return () => clearInterval(timer)
  })
  return left
}
