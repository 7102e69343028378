import { Button, Card, Group, SegmentedControl, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { LogLines } from '../../../web/kit/LogLines.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { useWebsiteLogs } from './queries.ts'

/** The last lines of a website's logs. */
export function WebsiteLogs({ id }: { readonly id: number }) {
  const [kind, setKind] = useState('access')
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search, 250)
  const logs = useWebsiteLogs(id, { kind, lines: 500, ...(settled && { search: settled }) })
  return (
    <Card withBorder radius="lg" p="lg">
      <Title order={2} size="h4" mb="sm">
        Logs
      </Title>
      <Group mb="md" gap="sm">
        <SegmentedControl
          aria-label="Log"
          value={kind}
          onChange={setKind}
          data={[
            { value: 'access', label: 'Access' },
            { value: 'error', label: 'Errors' },
          ]}
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
        <Button variant="default" loading={logs.isFetching} onClick={() => void logs.refetch()}>
          Refresh
        </Button>
      </Group>
      {logs.error && <Failure error={logs.error} />}
      {logs.isPending && <Loading rows={3} />}
      {logs.data?.lines.length === 0 && (
        <Text size="sm" c="dimmed">
          No lines.
        </Text>
      )}
      {logs.data && logs.data.lines.length > 0 && (
        <LogLines lines={logs.data.lines} label={`${kind} log`} isFollowing />
      )}
    </Card>
  )
}
