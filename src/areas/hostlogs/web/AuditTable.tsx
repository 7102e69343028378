import { Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { SshAuditLogs } from '../model.ts'
import { auditEvents } from '../model.ts'
import { useSshAuditLogs } from './queries.ts'

type Entry = SshAuditLogs['entries'][number]

const names: Readonly<Record<Entry['event'], string>> = {
  login: 'Sign-in',
  failed: 'Failed sign-in',
  session: 'Session',
  logout: 'Sign-out',
  command: 'Command',
}

const columns: Column<Entry>[] = [
  { id: 'at', title: 'Time', value: ({ at }) => at, cell: ({ at }) => <Moment time={at} /> },
  { id: 'event', title: 'Event', value: ({ event }) => names[event], cell: ({ event }) => names[event] },
  {
    id: 'user',
    title: 'User',
    value: ({ user }) => user,
    cell: ({ user }) => <span className="anywhere">{user}</span>,
  },
  { id: 'source', title: 'From', value: ({ source }) => source, cell: ({ source }) => source },
  { id: 'method', title: 'Method', value: ({ method }) => method, cell: ({ method }) => method },
  {
    id: 'command',
    title: 'Command',
    value: ({ command }) => command,
    cell: ({ command }) => (
      <Text size="sm" className="anywhere" lineClamp={3}>
        {command}
      </Text>
    ),
  },
]

const settledMs = 300

/** What was recorded, the latest first. */
export function AuditTable() {
  const [event, setEvent] = useState<Entry['event']>()
  const [user, setUser] = useState('')
  const [settled] = useDebouncedValue(user.trim(), settledMs)
  const wanted = { ...(event && { event }), ...(settled !== '' && { user: settled }) }
  const { data, ...query } = useSshAuditLogs(wanted)
  return (
    <DataTable
      label="Recorded events"
      columns={columns}
      query={useWholePage({ ...query, data: data?.entries })}
      rowKey={(entry) => Object.values(entry).join(' ')}
      filters={
        <Group gap="sm">
          <TextInput
            type="search"
            aria-label="User"
            placeholder="User"
            value={user}
            maxLength={256}
            onChange={(change) => setUser(change.currentTarget.value)}
          />
          <NativeSelect
            aria-label="Events shown"
            value={event ?? ''}
            data={[
              { value: '', label: 'All events' },
              ...auditEvents.map((value) => ({ value, label: names[value] })),
            ]}
            onChange={(change) => setEvent(auditEvents.find((each) => each === change.currentTarget.value))}
          />
        </Group>
      }
      empty={<Empty title="Nothing was recorded" />}
    />
  )
}
