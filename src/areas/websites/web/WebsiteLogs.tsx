import { Alert, Card, Group, SegmentedControl, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { LogLines } from '../../../web/kit/LogLines.tsx'
import { useLiveLines } from '../../../web/kit/use-live-lines.ts'
import { websites } from './api.ts'

const kinds = [
  { value: 'access', label: 'Access' },
  { value: 'error', label: 'Errors' },
] as const
const states = { reading: 'Reading …', live: 'Live', lost: 'Disconnected' } as const

/** The logs of a website while they are written, with search. */
export function WebsiteLogs({ id }: { readonly id: number }) {
  const [kind, setKind] = useState<'access' | 'error'>('access')
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search, 300)
  const query = { kind, lines: settled === '' ? 500 : 5000, ...(settled && { search: settled }) }
  const { lines, state, error } = useLiveLines(JSON.stringify([id, query]), {
    callOf: () => websites.followLogs({ params: { id }, query }),
    textOfLine: ({ message }) => message,
    resumes: false,
  })
  return (
    <Card withBorder radius="lg" p="lg">
      <Group gap="sm" mb="sm">
        <Title order={2} size="h4">
          Logs
        </Title>
        <Text size="sm" c="dimmed" role="status">
          {states[state]}
        </Text>
      </Group>
      <Group mb="md" gap="sm">
        <SegmentedControl
          aria-label="Log"
          value={kind}
          onChange={(value) => setKind(value === 'error' ? 'error' : 'access')}
          data={[...kinds]}
        />
        <TextInput
          type="search"
          flex="1 1 180px"
          maw={360}
          aria-label="Search the log"
          placeholder="Search the log"
          value={search}
          maxLength={200}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </Group>
      {error && (
        <Alert color="orange" mb="sm">
          {error}
        </Alert>
      )}
      {lines.length === 0 ? (
        <Text size="sm" c="dimmed">
          {settled ? 'No line matches.' : 'No lines.'}
        </Text>
      ) : (
        <LogLines lines={lines} label={`${kind} log`} isFollowing />
      )}
    </Card>
  )
}
