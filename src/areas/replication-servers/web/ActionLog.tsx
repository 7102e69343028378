import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { Moment } from '../../../web/kit/Moment.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import type { Action, ReplicationServer, Retried } from '../model.ts'
import { replicationServers } from './api.ts'
import { labelOf } from './category-label.ts'
import { done, useActions } from './queries.ts'

const columnsOf = (retry: (action: Action) => void): readonly Column<Action>[] => [
  { id: 'time', title: 'Time', cell: ({ created_at }) => <Moment time={created_at} /> },
  { id: 'category', title: 'Category', cell: ({ category }) => labelOf(category) },
  {
    id: 'request',
    title: 'Request',
    cell: ({ method, endpoint, request_body }) => (
      <>
        <Text size="sm" className="anywhere">
          {method} {endpoint}
        </Text>
        <Text size="xs" c="dimmed" className="anywhere" lineClamp={2}>
          {request_body}
        </Text>
      </>
    ),
  },
  {
    id: 'state',
    title: 'State',
    cell: ({ status, response_code, error_message, retry_count }) => (
      <>
        <Group gap={6}>
          <StateBadge state={status === 'success' ? 'done' : status} />
          {response_code !== null && <span>{response_code}</span>}
          {retry_count > 0 && <span>{retry_count === 1 ? '1 retry' : `${retry_count} retries`}</span>}
        </Group>
        {error_message !== '' && (
          <Text size="xs" c="dimmed" className="anywhere">
            {error_message}
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (action) =>
      action.status !== 'success' && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Retry ${action.method} ${action.endpoint}`}
          onClick={() => retry(action)}
        >
          Retry
        </Button>
      ),
  },
]

const states = [
  { value: '', label: 'All requests' },
  { value: 'pending', label: 'Pending' },
  { value: 'failed', label: 'Failed' },
  { value: 'success', label: 'Done' },
]

/** The latest requests for a server, with the reason where it did not repeat one. */
export function ActionLog({ server: { id, name } }: { readonly server: ReplicationServer }) {
  const [status, setStatus] = useState('')
  const page = useWholePage(useActions(id, status))
  const [retried, retry] = useState<Action>()
  const [clearing, clear] = useState<'over' | 'all'>()
  const close = () => retry(undefined)
  const stop = () => clear(undefined)
  return (
    <SectionCard title="Requests">
      <Group justify="space-between" gap="xs">
        <NativeSelect
          aria-label="State of the requests"
          data={states}
          value={status}
          onChange={(event) => setStatus(event.currentTarget.value)}
        />
        <Group gap="xs">
          <Button variant="default" onClick={() => clear('over')}>
            Clear finished requests
          </Button>
          <CutOffButton onClick={() => clear('all')}>Clear all requests</CutOffButton>
        </Group>
      </Group>
      <DataTable
        label="Requests"
        columns={columnsOf(retry)}
        query={page}
        rowKey={(action) => action.id}
        empty={<Empty title="No requests">Changes of its categories appear here.</Empty>}
      />
      {retried && (
        <ChangeDialog
          title={`Retry ${retried.method} ${retried.endpoint}`}
          confirmLabel="Send again"
          call={replicationServers.retryAction({ params: { id, action_id: String(retried.id) } })}
          onClose={close}
          onDone={({ success, error = '' }: Retried) =>
            done(close, success ? `${name} applied the request.` : `${name}: ${error}`, !success)
          }
        />
      )}
      {clearing && (
        <ChangeDialog
          title={clearing === 'all' ? 'Clear all requests' : 'Clear finished requests'}
          confirmLabel="Clear"
          call={replicationServers.clearActions({
            params: { id },
            ...(clearing === 'all' && { query: { all: 'true' } }),
          })}
          onClose={stop}
          onDone={({ deleted }: { readonly deleted: number }) => done(stop, `Requests removed: ${deleted}.`)}
        />
      )}
    </SectionCard>
  )
}
