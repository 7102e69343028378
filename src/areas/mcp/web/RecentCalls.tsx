import { Button, Modal, Stack, Text } from '@mantine/core'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { Entry } from '../../activity/web/queries.ts'
import type { McpKey } from '../model.ts'
import { useRecentCalls } from './queries.ts'

const columns: readonly Column<Entry>[] = [
  {
    id: 'call',
    title: 'Call',
    cell: ({ title, message, method, path }) => (
      <>
        {title}
        <Text size="xs" c="dimmed" className="anywhere">
          {method} {path} {message}
        </Text>
      </>
    ),
  },
  { id: 'status', title: 'Outcome', cell: ({ status }) => <StateBadge state={status} /> },
  { id: 'when', title: 'When', cell: ({ created_at }) => <Moment time={created_at} /> },
]

interface RecentCallsProps {
  readonly mcpKey: McpKey
  readonly onClose: () => void
}

/** The last calls that an agent made with a key, and the changes that they led to. */
export function RecentCalls({ mcpKey: { id, name }, onClose }: RecentCallsProps) {
  const calls = useWholePage(useRecentCalls(id))
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Calls with the key ${name}`}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <DataTable
          label="Calls"
          columns={columns}
          query={calls}
          rowKey={(entry) => entry.id}
          empty={<Empty title="No calls">No agent has used this key yet.</Empty>}
        />
        <DialogFooter>
          <Button variant="default" data-autofocus onClick={onClose}>
            Done
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}
