import { Button, Stack, Text } from '@mantine/core'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { OngoingWork } from '../../../web/kit/OngoingWork.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { useInstalling } from './Installing.tsx'
import { type Program, usePrograms } from './queries.ts'

/** The programs that the panel manages on this host. */
export function ProgramsPage() {
  const programs = useWholePage(usePrograms())
  const installing = useInstalling()
  const columns: Column<Program>[] = [
    {
      id: 'name',
      title: 'Program',
      value: ({ name }) => name,
      cell: ({ name }) => (
        <Text fw={600} size="sm">
          {name}
        </Text>
      ),
    },
    {
      id: 'state',
      title: 'State',
      width: '7.5rem', // its badge would be broken between two letters
      cell: ({ present }) => <StateBadge state={present ? 'installed' : 'missing'} />,
    },
    { id: 'version', title: 'Version', cell: ({ version }) => version ?? '–' },
    {
      id: 'reason',
      title: 'Note',
      cell: ({ reason, healthy }) => (
        <Stack gap={2}>
          <Text size="sm">{reason ?? (healthy ? 'Works' : '–')}</Text>
        </Stack>
      ),
    },
    {
      id: 'do',
      title: 'Action',
      align: 'right',
      cell: ({ name, present, installable }) =>
        !present &&
        installable && (
          <Button size="xs" onClick={() => installing.start(name)} loading={installing.isStarting}>
            Install {name}
          </Button>
        ),
    },
  ]
  return (
    <Page title="Software" about="The programs that the panel manages on this host, and their state.">
      <OngoingWork kind="programs.install" />
      <DataTable
        label="Software"
        columns={columns}
        query={programs}
        rowKey={({ name }) => name}
        empty={<Empty title="No area needs a program" />}
      />
      {installing.dialog}
    </Page>
  )
}
