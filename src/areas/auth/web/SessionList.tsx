import { Badge, Text } from '@mantine/core'
import { useState } from 'react'
import type { Static } from 'typebox'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { DataTable, type Column } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import type { Session } from '../model.ts'
import { auth } from './api.ts'
import { useSessions } from './queries.ts'

type Row = Static<typeof Session>

/** The sessions of the account, with a button that ends each. */
export function SessionList() {
  const sessions = useSessions()
  const [ended, setEnded] = useState<Row>()
  const columns: Column<Row>[] = [
    {
      id: 'device',
      title: 'Device',
      cell: (row) => (
        <>
          {deviceOf(row.user_agent)}{' '}
          {row.is_current && (
            <Badge variant="light" color="green" tt="none">
              this one
            </Badge>
          )}
        </>
      ),
    },
    {
      id: 'ip',
      title: 'Address',
      cell: ({ ip }) => (
        <Text size="sm" ff="monospace">
          {ip}
        </Text>
      ),
    },
    { id: 'used', title: 'Last used', cell: ({ last_used_at }) => <Moment time={last_used_at} /> },
    { id: 'opened', title: 'Signed in', cell: ({ created_at }) => <Moment time={created_at} /> },
    {
      id: 'do',
      title: 'Action',
      align: 'right',
      cell: (row) =>
        !row.is_current && (
          <CutOffButton
            size="xs"
            onClick={() => setEnded(row)}
            aria-label={`End the session on ${deviceOf(row.user_agent)} from ${row.ip}`}
          >
            End
          </CutOffButton>
        ),
    },
  ]
  return (
    <>
      <DataTable
        label="Sessions"
        columns={columns}
        query={useWholePage(sessions)}
        rowKey={({ id }) => id}
        empty={<Empty title="No sessions" />}
      />
      {ended && (
        <ChangeDialog
          title={`End the session on ${deviceOf(ended.user_agent)}`}
          confirmLabel="End the session"
          isCutOff
          call={auth.endSession({ params: { id: ended.id } })}
          onClose={() => setEnded(undefined)}
          onDone={() => {
            setEnded(undefined)
            notify('The session has ended.')
            return readAgain('sessions')
          }}
        />
      )}
    </>
  )
}

function deviceOf(agent: string): string {
  const browser = [
    ['Edg/', 'Edge'],
    ['Firefox/', 'Firefox'],
    ['Chrome/', 'Chrome'],
    ['Safari/', 'Safari'],
    ['curl/', 'curl'],
  ].find(([mark]) => agent.includes(mark as string))?.[1]
  const system = [
    ['Android', 'Android'],
    ['iPhone', 'iPhone'],
    ['Windows', 'Windows'],
    ['Mac OS', 'macOS'],
    ['Linux', 'Linux'],
  ].find(([mark]) => agent.includes(mark as string))?.[1]
  return browser ? `${browser}${system ? ` on ${system}` : ''}` : agent.slice(0, 60) || 'Unknown'
}
