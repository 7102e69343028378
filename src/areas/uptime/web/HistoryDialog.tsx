import { Button, Modal, Stack, Table, Text } from '@mantine/core'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import type { Monitor } from '../model.ts'
import { Days, ResponseChart } from './Past.tsx'
import { useHistory, useStatistics } from './queries.ts'

interface HistoryDialogProps {
  readonly monitor: Monitor
  readonly onClose: () => void
}

/** The availability of a monitor, its changes of state and its alerts. */
export function HistoryDialog({ monitor: { id, name }, onClose }: HistoryDialogProps) {
  const { data, error } = useHistory(id)
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={`History of ${name}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <LastDay id={id} />
        <ResponseChart id={id} />
        {error && !data && <Failure error={error} />}
        {!error && !data && <Loading />}
        {data && (
          <Table role="table" aria-label={`History of ${name}`}>
            <Table.Thead role="rowgroup">
              <Table.Tr role="row">
                {['Time', 'Event', 'Response', 'Details'].map((title) => (
                  <Table.Th key={title} role="columnheader" scope="col">
                    {title}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody role="rowgroup">
              {data.history.map((row) => (
                <Table.Tr key={row.id} role="row">
                  <Table.Td role="cell">
                    <Moment time={row.created_at} />
                  </Table.Td>
                  <Table.Td role="cell">
                    <StateBadge state={row.event_type} />
                  </Table.Td>
                  <Table.Td role="cell">{row.response_time} ms</Table.Td>
                  <Table.Td role="cell" className="anywhere">
                    {row.error || '–'}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        <Days id={id} />
        <DialogFooter>
          <Button variant="default" data-autofocus onClick={onClose}>
            Close
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  )
}

function LastDay({ id }: { readonly id: number }) {
  const { data } = useStatistics(id)
  if (!data) return null
  const { checks, failed, availability, p50, p95, p99 } = data
  return (
    <Text size="sm">
      Last 24 hours: {availability.toFixed(2)} % available, {checks} checks, {failed} failed. Response time:
      median {p50} ms, 95th percentile {p95} ms, 99th percentile {p99} ms.
    </Text>
  )
}
