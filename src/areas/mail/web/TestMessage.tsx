import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Failure } from '../../../web/kit/states.tsx'
import { useMailTest } from './queries.ts'

/** Sends a message and shows what the log of Exim says of it. */
export function TestMessage() {
  const [to, setTo] = useState('')
  const test = useMailTest()
  const send = (event: FormEvent) => {
    event.preventDefault()
    test.mutate(to.trim())
  }
  return (
    <form onSubmit={send}>
      <Stack gap="md">
        <TextInput
          label="Send a test message to"
          description="It is sent as root, with the saved settings."
          type="email"
          required
          maxLength={254}
          value={to}
          onChange={(event) => {
            test.reset()
            setTo(event.currentTarget.value)
          }}
        />
        <Group justify="flex-end">
          <Button type="submit" variant="default" loading={test.isPending}>
            Send a test message
          </Button>
        </Group>
        {test.error && <Failure error={test.error} />}
        {test.data && (
          <Alert
            role="status"
            color={test.data.outcome === 'delivered' ? 'green' : 'orange'}
            title={
              test.data.outcome === 'delivered'
                ? 'The message was delivered'
                : 'The message waits in the queue'
            }
          >
            <Text size="sm" className="anywhere">
              {test.data.message}
            </Text>
          </Alert>
        )}
      </Stack>
    </form>
  )
}
