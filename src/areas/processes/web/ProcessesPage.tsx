import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { Process, ProcessOrder } from '../model.ts'
import { KillDialog } from './KillDialog.tsx'
import { useProcesses } from './queries.ts'

const orders: readonly { readonly value: ProcessOrder; readonly label: string }[] = [
  { value: 'cpu', label: 'Top 50 by CPU' },
  { value: 'mem', label: 'Top 50 by memory' },
  { value: 'pid', label: 'Last 50 by PID' },
]
const initPid = 1

/** Columns are sorted as people read numbers: a share is compared in tenths of a percent. */
const columnsWith = (onKill: (process: Process) => void): Column<Process>[] => [
  { id: 'pid', title: 'PID', value: ({ pid }) => pid, cell: ({ pid }) => pid },
  { id: 'user', title: 'User', value: ({ user }) => user, cell: ({ user }) => user },
  {
    id: 'cpu',
    title: 'CPU',
    value: ({ cpu }) => Math.round(cpu * 10),
    cell: ({ cpu }) => `${cpu.toFixed(1)} %`,
  },
  {
    id: 'memory',
    title: 'Memory',
    value: ({ rss_mb }) => Math.round(rss_mb * 10),
    cell: ({ rss_mb, mem }) => `${rss_mb.toFixed(1)} MiB (${mem.toFixed(1)} %)`,
  },
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
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (process) =>
      process.pid !== initPid && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Kill process ${process.pid}`}
          onClick={() => onKill(process)}
        >
          Kill
        </Button>
      ),
  },
]

/** The processes of the host that use the most. */
export function ProcessesPage() {
  const [order, setOrder] = useState<ProcessOrder>('cpu')
  const { data, ...query } = useProcesses(order)
  const [search, setSearch] = useState('')
  const [killed, setKilled] = useState<Process>()
  const columns = useMemo(() => columnsWith(setKilled), [])
  const shown = useMemo(() => {
    const wanted = search.trim().toLowerCase()
    return data?.filter(({ pid, user, command }) =>
      `${pid} ${user} ${command}`.toLowerCase().includes(wanted),
    )
  }, [data, search])
  return (
    <Page
      title="Processes"
      about="The processes of this host that use the most. CPU is the average since a process started, in percent of one core."
    >
      <DataTable
        label="Processes"
        columns={columns}
        query={useWholePage({ ...query, data: shown })}
        rowKey={({ pid }) => pid}
        filters={
          <Group gap="sm">
            <TextInput
              type="search"
              aria-label="Search processes"
              placeholder="PID, user or command"
              leftSection={<IconSearch size={16} aria-hidden />}
              value={search}
              maxLength={200}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
            <NativeSelect
              aria-label="Processes shown"
              value={order}
              data={[...orders]}
              onChange={(event) => {
                const chosen = orders.find(({ value }) => value === event.currentTarget.value)
                if (chosen) setOrder(chosen.value)
              }}
            />
          </Group>
        }
        empty={<Empty title="No processes match" />}
      />
      {killed && <KillDialog process={killed} onClose={() => setKilled(undefined)} />}
    </Page>
  )
}
