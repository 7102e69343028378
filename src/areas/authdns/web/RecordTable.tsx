import { NumberInput, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { useListState } from '../../../web/kit/list-state.ts'
import { pageOf } from '../../../web/kit/paged-rows.ts'
import { Empty } from '../../../web/kit/states.tsx'
import type { Zone } from '../model.ts'
import { type Actions, EditActions, labelOf, Records, RecordsInput, SetActions } from './RecordCells.tsx'
import { editedSets, type EditedSet, type Staged, type TypedSet, typedSet } from './staged.ts'

interface RecordTableProps {
  readonly zone: Zone
  readonly staged: Staged
  /** Absent for a zone that is not edited here. */
  readonly actions?: Actions
}

/** The row that is edited in place, if any. */
interface Editing {
  readonly typed: TypedSet | undefined
  readonly type: (typed: TypedSet | undefined) => void
  /** The row that was edited last: its button gets the focus back, once. */
  readonly returnTo: string | undefined
  readonly onReturned: () => void
}

const columnsOf = (
  actions: Actions | undefined,
  { typed, type, returnTo, onReturned }: Editing,
): readonly Column<EditedSet>[] => [
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
  { id: 'type', title: 'Type', sort: 'type', value: (set) => set.type, cell: (set) => set.type },
  {
    id: 'ttl',
    title: 'TTL',
    sort: 'ttl',
    value: ({ ttl }) => ttl,
    cell: (set) =>
      set.key === typed?.key ? (
        <NumberInput
          aria-label={`TTL of ${labelOf(set)}`}
          size="xs"
          w={110}
          min={0}
          max={2_147_483_647}
          value={typed.ttl}
          onChange={(ttl) => type({ ...typed, ttl: Number(ttl) })}
        />
      ) : (
        set.ttl
      ),
  },
  {
    id: 'records',
    title: 'Records',
    cell: (set) =>
      set.key === typed?.key ? <RecordsInput set={set} typed={typed} onType={type} /> : <Records set={set} />,
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
          cell: (set: EditedSet) =>
            set.key === typed?.key ? (
              <EditActions
                set={set}
                typed={typed}
                onStage={actions.onStage}
                onClose={() => type(undefined)}
              />
            ) : (
              <SetActions
                set={set}
                actions={actions}
                onEdit={() => type(typedSet(set))}
                {...(set.key === returnTo && { onReturned })}
              />
            ),
        },
      ]
    : []),
]

/** The columns without what is edited, to sort by. */
const sortable = columnsOf(undefined, {
  typed: undefined,
  type: () => undefined,
  returnTo: undefined,
  onReturned: () => undefined,
})

const textOf = ({ records, state, shownName, type }: EditedSet): string =>
  [shownName, type, state, ...records.map(({ content }) => content)].join(' ')

/** The record sets of a zone, with the staged changes; rows are edited in place, and it is searched, sorted and paged in the browser. */
export function RecordTable({ zone, staged, actions }: RecordTableProps) {
  const list = useListState('name')
  const { search, sort, page, perPage } = list
  const rows = useMemo(() => editedSets(zone, staged), [zone, staged])
  // of thousands of rows, not with each letter that is typed in one of them
  const data = useMemo(
    () => pageOf({ rows, columns: sortable, textOf }, { search, sort, page, perPage }),
    [rows, search, sort, page, perPage],
  )
  const columns = columnsOf(actions, useEditing())
  return (
    <DataTable
      label="Record sets"
      columns={columns}
      query={{
        data,
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

function useEditing(): Editing {
  const [typed, setTyped] = useState<TypedSet>()
  const [returnTo, setReturnTo] = useState<string>()
  const type = (next: TypedSet | undefined) => {
    setReturnTo(next === undefined ? typed?.key : undefined)
    setTyped(next)
  }
  return { typed, type, returnTo, onReturned: () => setReturnTo(undefined) }
}
