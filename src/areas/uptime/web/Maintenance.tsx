import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import { type MaintenanceWindow, type Monitor, WindowDraft } from '../model.ts'
import { uptime } from './api.ts'
import { useMaintenance } from './queries.ts'

const text = {
  title: { label: 'Title' },
  starts_at: { label: 'Begins', hint: 'In UTC, such as 2026-11-30T22:00:00Z' },
  minutes: { label: 'Minutes' },
  repeats: { label: 'Repeats', labels: { once: 'Never', daily: 'Every day', weekly: 'Every week' } },
}

interface PlanDialogProps {
  /** Undefined for all monitors. */
  readonly monitor?: Monitor | undefined
  readonly onClose: () => void
}

/** Plans maintenance of a monitor, or of all. */
export const PlanDialog = ({ monitor, onClose }: PlanDialogProps) => (
  <PlannedForm
    title={`Plan maintenance of ${monitor?.name ?? 'all monitors'}`}
    confirmLabel="Plan"
    schema={WindowDraft}
    text={{ ...text, starts_at: { ...text.starts_at, first: thisMinute() } }}
    except={['monitor_id']}
    callOf={(body: WindowDraft) =>
      uptime.planMaintenance({ body: { ...body, monitor_id: monitor?.id ?? null } })
    }
    onClose={onClose}
    onDone={() => done(onClose, 'The maintenance was planned.')}
  />
)

const thisMinute = (): string => `${new Date().toISOString().slice(0, 16)}:00Z`

/** The times in which monitors are not checked. */
export function Maintenance({ monitors }: { readonly monitors: readonly Monitor[] }) {
  const { data, ...query } = useMaintenance()
  const [isPlanning, setPlanning] = useState(false)
  const [deleting, remove] = useState<MaintenanceWindow>()
  const close = () => remove(undefined)
  return (
    <SectionCard title="Maintenance">
      <Group>
        <Button variant="default" onClick={() => setPlanning(true)}>
          Plan maintenance
        </Button>
      </Group>
      <DataTable
        label="Maintenance"
        columns={columnsOf(monitors, remove)}
        query={useWholePage({ ...query, data: data?.windows })}
        rowKey={({ id }) => id}
        empty={
          <Empty title="No maintenance planned">
            Monitors are not checked during maintenance, and nobody is alerted.
          </Empty>
        }
      />
      {isPlanning && <PlanDialog onClose={() => setPlanning(false)} />}
      {deleting && (
        <ChangeDialog
          title={`Delete ${deleting.title}`}
          confirmLabel="Delete"
          call={uptime.deleteMaintenance({ params: { id: deleting.id } })}
          onClose={close}
          onDone={() => done(close, 'The maintenance was deleted.')}
        />
      )}
    </SectionCard>
  )
}

const columnsOf = (
  monitors: readonly Monitor[],
  remove: (window: MaintenanceWindow) => void,
): readonly Column<MaintenanceWindow>[] => [
  {
    id: 'title',
    title: 'Title',
    cell: ({ title, monitor_id: id }) => (
      <>
        <Text size="sm" fw={600} className="anywhere">
          {title}
        </Text>
        <Text size="xs" c="dimmed" className="anywhere">
          {id === null ? 'All monitors' : (monitors.find((each) => each.id === id)?.name ?? `Monitor ${id}`)}
        </Text>
      </>
    ),
  },
  { id: 'begins', title: 'Begins', cell: ({ starts_at: time }) => <Moment time={time} /> },
  {
    id: 'length',
    title: 'Length',
    cell: ({ minutes, repeats }) =>
      `${minutes} min${repeats === 'once' ? '' : `, ${text.repeats.labels[repeats].toLowerCase()}`}`,
  },
  {
    id: 'state',
    title: 'State',
    cell: ({ is_active: isActive }) => <StateBadge state={isActive ? 'active' : 'inactive'} />,
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (window) => (
      <CutOffButton size="xs" aria-label={`Delete: ${window.title}`} onClick={() => remove(window)}>
        Delete
      </CutOffButton>
    ),
  },
]

async function done(close: () => void, message: string): Promise<void> {
  close()
  notify(message)
  await readAgain('uptime')
}
