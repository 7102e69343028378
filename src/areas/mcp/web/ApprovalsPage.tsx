import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { useListState } from '../../../web/kit/list-state.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { StateFilter } from '../../../web/kit/StateFilter.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { type Approval, type ApprovalState, approvalStates } from '../model.ts'
import { McpTabs } from './McpTabs.tsx'
import { PlanDialog } from './PlanDialog.tsx'
import { useApprovals } from './queries.ts'

const columnsOf = (open: (id: number) => void): readonly Column<Approval>[] => [
  {
    id: 'change',
    title: 'Change',
    cell: ({ summary, method, path }) => (
      <>
        {summary}
        <Text size="xs" c="dimmed" className="anywhere">
          {method} {path}
        </Text>
      </>
    ),
  },
  { id: 'key', title: 'Key', cell: ({ key_name }) => key_name },
  { id: 'state', title: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  {
    id: 'asked',
    title: 'Requested',
    sort: 'created_at',
    cell: ({ created_at }) => <Moment time={created_at} />,
  },
  { id: 'decided', title: 'Decided by', cell: ({ decided_by }) => decided_by ?? '–' },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: ({ id, state, summary }) => {
      const verb = state === 'pending' ? 'Review' : 'View'
      return (
        <Button size="xs" variant="default" aria-label={`${verb}: ${summary}`} onClick={() => open(id)}>
          {verb}
        </Button>
      )
    },
  },
]

/** The changes that agents asked for: those that wait for a decision first. */
export function ApprovalsPage() {
  const list = useListState('-created_at')
  const [state, setState] = useState<ApprovalState | undefined>('pending')
  const approvals = useApprovals({ ...list.asked, ...(state && { state }) })
  const [opened, open] = useState<number>()
  return (
    <Page
      title="Approvals"
      about={
        <Text size="sm">
          Changes of agents whose key needs approval. Exactly the plan that you approve is carried out, once;
          if its target is changed meanwhile, the plan is stale.
        </Text>
      }
    >
      <McpTabs />
      <DataTable
        label="Approvals"
        columns={columnsOf(open)}
        query={approvals}
        rowKey={({ id }) => id}
        list={list}
        searchLabel="Search changes"
        filters={<StateFilter states={approvalStates} value={state} onChange={setState} list={list} />}
        empty={<Empty title="No changes">A key with approval lets its agent ask for changes here.</Empty>}
      />
      {opened !== undefined && <PlanDialog id={opened} onClose={() => open(undefined)} />}
    </Page>
  )
}
