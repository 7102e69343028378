import { Alert, Card, Group, NativeSelect, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { logPriorities } from '../../../core/log-line.ts'
import { LogLines } from '../../../web/kit/LogLines.tsx'
import { type LogFilter, useLog } from './use-log.ts'

const labels: Readonly<Record<string, string>> = {
  emerg: 'Emergency',
  alert: 'Alert or worse',
  crit: 'Critical or worse',
  err: 'Error or worse',
  warning: 'Warning or worse',
  notice: 'Notice or worse',
  info: 'Info or worse',
  debug: 'All severities',
}
const states = { reading: 'Reading …', live: 'Live', lost: 'Disconnected' } as const

/** The log of a service while it is written, with search and severity. */
export function ServiceLog({ name }: { readonly name: string }) {
  const [search, setSearch] = useState('')
  const [priority, setPriority] = useState<LogFilter['priority']>()
  const [settled] = useDebouncedValue(search, 300)
  const { lines, state, error } = useLog(name, { search: settled, priority })
  return (
    <Card withBorder radius="lg" p="lg">
      <Group justify="space-between" mb="sm" gap="sm">
        <Group gap="sm">
          <Title order={2} size="h4">
            Log
          </Title>
          <Text size="sm" c="dimmed" role="status">
            {states[state]}
          </Text>
        </Group>
        <Group gap="sm">
          <TextInput
            type="search"
            aria-label="Search the log"
            placeholder="Search the log"
            leftSection={<IconSearch size={16} aria-hidden />}
            value={search}
            maxLength={200}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <NativeSelect
            aria-label="Severity"
            value={priority ?? 'debug'}
            data={logPriorities.toReversed().map((value) => ({ value, label: labels[value] ?? value }))}
            onChange={(event) => {
              const chosen = logPriorities.find((each) => each === event.currentTarget.value)
              setPriority(chosen === 'debug' ? undefined : chosen)
            }}
          />
        </Group>
      </Group>
      {error && (
        <Alert color="orange" mb="sm">
          {error}
        </Alert>
      )}
      {lines.length === 0 ? (
        <Text size="sm" c="dimmed">
          {settled || priority ? 'No line matches.' : 'Nothing has been logged yet.'}
        </Text>
      ) : (
        <LogLines lines={lines} label={`Log of ${name}`} isFollowing />
      )}
    </Card>
  )
}
