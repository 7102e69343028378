import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatBytes } from '../../../web/kit/format.ts'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty, Failure } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { LogRetention, type LogstoreStats } from '../model.ts'
import { logstore } from './api.ts'
import { done } from './done.ts'
import { LogsFrame } from './LogsFrame.tsx'
import { useRetention, useStats } from './queries.ts'

const text = {
  max_age_days: { label: 'Keep lines for (days)' },
  max_disk_percent: {
    label: 'Free the disk above (% used)',
    hint: 'The oldest days are deleted until there is room',
  },
}

type Day = LogstoreStats['days'][number]
const columns: readonly Column<Day>[] = [
  { id: 'day', title: 'Day (UTC)', cell: ({ day }) => day },
  { id: 'lines', title: 'Lines', align: 'right', cell: ({ documents }) => documents.toLocaleString() },
  { id: 'size', title: 'Size', align: 'right', cell: (day) => formatBytes(day.size_bytes) },
]

type Asking = 'edit' | 'apply' | 'uninstall'

/** How long lines are kept, and how many there are of each day. */
export function RetentionPage() {
  const { data: retention } = useRetention()
  const { data: stats, ...query } = useStats()
  const [asking, ask] = useState<Asking>()
  const days = useWholePage({ ...query, data: stats?.days })
  return (
    <LogsFrame>
      <SectionCard title="Retention">
        {retention && (
          <Text size="sm">
            Lines are kept for {retention.max_age_days} days. Above {retention.max_disk_percent} % use of the
            disk, the oldest days are deleted. Lines that a saved search preserves stay.
          </Text>
        )}
        {stats && (
          <Text size="sm">
            {stats.documents.toLocaleString()} lines, {formatBytes(stats.size_bytes)},{' '}
            {stats.preserved.toLocaleString()} preserved. The disk is used to {stats.disk_used_percent} %.
          </Text>
        )}
        <Group gap="xs">
          <Button disabled={!retention} onClick={() => ask('edit')}>
            Change
          </Button>
          <Button variant="default" onClick={() => ask('apply')}>
            Delete old lines now
          </Button>
          <CutOffButton onClick={() => ask('uninstall')}>Remove the log store</CutOffButton>
        </Group>
      </SectionCard>
      {query.error && !stats ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <DataTable
          label="Days"
          columns={columns}
          query={days}
          rowKey={({ day }) => day}
          empty={<Empty title="No lines yet">Apply a source to receive some.</Empty>}
        />
      )}
      {asking === 'edit' && retention && (
        <PlannedForm
          title="Change the retention"
          confirmLabel="Save"
          schema={LogRetention}
          text={text}
          given={retention}
          callOf={(body: LogRetention) => logstore.setLogRetention({ body })}
          onClose={() => ask(undefined)}
          onDone={() => done(() => ask(undefined), 'The retention was changed.')}
        />
      )}
      {(asking === 'apply' || asking === 'uninstall') && (
        <ChangeDialog
          {...dialogs[asking]}
          onClose={() => ask(undefined)}
          onDone={() => done(() => ask(undefined), dialogs[asking].message)}
        />
      )}
    </LogsFrame>
  )
}

const dialogs = {
  apply: {
    title: 'Delete old lines now',
    confirmLabel: 'Delete',
    call: logstore.applyLogRetention(),
    message: 'Old lines are being deleted.',
  },
  uninstall: {
    title: 'Remove the log store',
    confirmLabel: 'Remove',
    call: logstore.uninstallLogstore(),
    message: 'The log store was removed. Its lines stay on the disk.',
  },
}
