import { Badge, Button, Group, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import type { SqlProcesses } from '../model.ts'
import { sqldb } from './api.ts'
import { useProcesses } from './queries.ts'
import { SqldbFrame } from './SqldbFrame.tsx'

type SqlProcess = SqlProcesses['processes'][number]

/** The connections to the server, with what they wait for. */
export const ProcessesPage = () => (
  <SqldbFrame>
    <Processes />
  </SqldbFrame>
)

const columnsWith = (onKill: (process: SqlProcess) => void): Column<SqlProcess>[] => [
  { id: 'id', title: 'ID', value: ({ id }) => id, cell: ({ id }) => id },
  {
    id: 'user',
    title: 'Account',
    value: ({ user }) => user,
    cell: ({ user, host }) => <span className="anywhere">{`${user}@${host}`}</span>,
  },
  { id: 'db', title: 'Database', value: ({ db }) => db ?? '', cell: ({ db }) => db ?? '–' },
  { id: 'time', title: 'For', value: ({ time }) => time, cell: ({ time }) => `${time} s` },
  {
    id: 'state',
    title: 'State',
    value: ({ command }) => command,
    cell: (row) => <State process={row} />,
  },
  {
    id: 'info',
    title: 'Statement',
    width: '35%',
    value: ({ info }) => info ?? '',
    cell: ({ info }) => (
      <Text size="sm" className="anywhere" lineClamp={3}>
        {info}
      </Text>
    ),
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (row) => (
      <Button size="xs" variant="default" aria-label={`End connection ${row.id}`} onClick={() => onKill(row)}>
        End
      </Button>
    ),
  },
]

const State = ({ process: { command, state, blocked_by } }: { readonly process: SqlProcess }) => (
  <Group gap="xs">
    <span>{state ? `${command}: ${state}` : command}</span>
    {blocked_by.length > 0 && (
      <Badge variant="light" color="orange" tt="none">
        Waits for {blocked_by.join(', ')}
      </Badge>
    )}
  </Group>
)

function Processes() {
  const query = useProcesses()
  const [ended, setEnded] = useState<SqlProcess | 'all'>()
  const columns = useMemo(() => columnsWith(setEnded), [])
  return (
    <>
      <DataTable
        label="Connections"
        columns={columns}
        query={useWholePage(query)}
        rowKey={({ id }) => id}
        filters={<CutOffButton onClick={() => setEnded('all')}>End all that run a statement</CutOffButton>}
        empty={<Empty title="No connections" />}
      />
      {ended && <EndDialog ended={ended} onClose={() => setEnded(undefined)} />}
    </>
  )
}

function EndDialog({ ended, onClose }: { readonly ended: SqlProcess | 'all'; readonly onClose: () => void }) {
  const isAll = ended === 'all'
  return (
    <ChangeDialog
      title={isAll ? 'End all connections that run a statement' : `End connection ${ended.id}`}
      confirmLabel={isAll ? 'End them' : 'End it'}
      isCutOff
      call={isAll ? sqldb.killAll() : sqldb.killProcess({ params: { id: String(ended.id) } })}
      onClose={onClose}
      onDone={({ killed }: { killed: number | true }) => {
        onClose()
        notify(killed === true ? 'The connection was ended.' : `Connections that were ended: ${killed}.`)
        return readAgain('sqldb')
      }}
    >
      <Text size="sm">A transaction that is not committed is rolled back.</Text>
    </ChangeDialog>
  )
}
