import { Button, Group, Text } from '@mantine/core'
import { useMemo } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { useListState } from '../../../web/kit/list-state.ts'
import { pageOf } from '../../../web/kit/paged-rows.ts'
import { Empty } from '../../../web/kit/states.tsx'
import type { Zone } from '../model.ts'
import { editedSets, type EditedSet, type Staged } from './staged.ts'

interface Actions {
  readonly onEdit: (set: EditedSet) => void
  readonly onRemove: (set: EditedSet) => void
  readonly onUnstage: (set: EditedSet) => void
}

interface RecordTableProps {
  readonly zone: Zone
  readonly staged: Staged
  /** Absent for a zone that is not edited here. */
  readonly actions?: Actions
}

const mostShown = 5

const columnsOf = (actions: Actions | undefined): readonly Column<EditedSet>[] => [
  {
    id: 'name',
    title: 'Name',
    sort: 'name',
    value: ({ shownName }) => shownName,
    cell: ({ shownName, state }) => (
      <Text size="sm" fw={600} className="anywhere" {...(state === 'removed' && { td: 'line-through' })}>
        {shownName}
      </Text>
    ),
  },
  { id: 'type', title: 'Type', sort: 'type', value: ({ type }) => type, cell: ({ type }) => type },
  { id: 'ttl', title: 'TTL', sort: 'ttl', value: ({ ttl }) => ttl, cell: ({ ttl }) => ttl },
  {
    id: 'records',
    title: 'Records',
    cell: ({ records }) => (
      <>
        {records.slice(0, mostShown).map(({ content, disabled }) => (
          <Text size="sm" ff="monospace" className="anywhere" key={content} lineClamp={3}>
            {content}
            {disabled && ' (disabled)'}
          </Text>
        ))}
        {records.length > mostShown && (
          <Text size="xs" c="dimmed">
            and {records.length - mostShown} more
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'state',
    title: 'Staged',
    sort: 'state',
    value: ({ state }) => state,
    cell: ({ state }) => (state === 'unchanged' ? '' : state),
  },
  ...(actions
    ? [
        {
          id: 'do',
          title: 'Action',
          align: 'right' as const,
          cell: (set: EditedSet) => <SetActions set={set} actions={actions} />,
        },
      ]
    : []),
]

function SetActions({ set, actions }: { readonly set: EditedSet; readonly actions: Actions }) {
  const label = `${set.shownName} ${set.type}`
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {set.state !== 'unchanged' && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Revert ${label}`}
          onClick={() => actions.onUnstage(set)}
        >
          Revert
        </Button>
      )}
      {set.state !== 'removed' && (
        <Button size="xs" variant="default" aria-label={`Edit ${label}`} onClick={() => actions.onEdit(set)}>
          Edit
        </Button>
      )}
      {set.state === 'unchanged' && (
        <Button
          size="xs"
          variant="default"
          aria-label={`Remove ${label}`}
          onClick={() => actions.onRemove(set)}
        >
          Remove
        </Button>
      )}
    </Group>
  )
}

/** The record sets of a zone, with the staged changes; it is searched, sorted and paged in the browser. */
export function RecordTable({ zone, staged, actions }: RecordTableProps) {
  const list = useListState('name')
  const rows = useMemo(() => editedSets(zone, staged), [zone, staged])
  const columns = columnsOf(actions)
  const textOf = ({ shownName, type, records, state }: EditedSet) =>
    [shownName, type, state, ...records.map(({ content }) => content)].join(' ')
  return (
    <DataTable
      label="Record sets"
      columns={columns}
      query={{
        data: pageOf({ rows, columns, textOf }, list),
        error: undefined,
        isFetching: false,
        refetch: () => undefined,
      }}
      rowKey={({ key }) => key}
      list={list}
      searchLabel="Search records"
      empty={<Empty title="No records">Add some, or import a zone file.</Empty>}
    />
  )
}
