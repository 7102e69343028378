import { Button, Code, Text } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { type QueryRule, ReadWriteSplit } from '../model.ts'
import { sqlproxy } from './api.ts'
import { done } from './done.ts'
import { ProxyFrame } from './ProxyFrame.tsx'
import { useRules, useStatus } from './queries.ts'

/** The query rules of the proxy, and the split of reads from writes. */
export const RulesPage = () => (
  <ProxyFrame>
    <Rules />
  </ProxyFrame>
)

const columns: readonly Column<QueryRule>[] = [
  { id: 'id', title: 'Order', value: ({ rule_id }) => rule_id, cell: ({ rule_id }) => rule_id },
  {
    id: 'match',
    title: 'Matches',
    cell: ({ match_digest, match_pattern }) => (
      <Code className="anywhere">{match_digest ?? match_pattern ?? 'everything'}</Code>
    ),
  },
  {
    id: 'of',
    title: 'Applies to',
    cell: ({ username, schemaname }) =>
      [username, schemaname].filter((each) => each !== null).join(', ') || 'All users',
  },
  {
    id: 'to',
    title: 'Hostgroup',
    cell: ({ destination_hostgroup }) => destination_hostgroup ?? 'That of the user',
  },
  {
    id: 'active',
    title: 'State',
    cell: ({ active }) => <StateBadge state={active ? 'active' : 'disabled'} />,
  },
  { id: 'hits', title: 'Matched', value: ({ hits }) => hits, cell: ({ hits }) => hits },
  {
    id: 'comment',
    title: 'Comment',
    cell: ({ comment }) => (
      <Text size="sm" className="anywhere">
        {comment ?? '–'}
      </Text>
    ),
  },
]

function Rules() {
  const query = useRules()
  const { data: status } = useStatus()
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const isSplit = status?.is_split === true
  return (
    <>
      <DataTable
        label="Query rules"
        columns={columns}
        query={useWholePage(query)}
        rowKey={({ rule_id }) => rule_id}
        filters={
          <Button variant={isSplit ? 'default' : 'filled'} onClick={() => setAsking(true)}>
            {isSplit ? 'End the split' : 'Split reads from writes'}
          </Button>
        }
        empty={
          <Empty title="No query rules">All statements go to the default hostgroup of their user.</Empty>
        }
      />
      {isAsking && isSplit && (
        <ChangeDialog
          title="End the split"
          confirmLabel="End it"
          isCutOff
          call={sqlproxy.setReadWriteSplit({
            body: { enabled: false, writer_hostgroup: 0, reader_hostgroup: 1 },
          })}
          onClose={close}
          onDone={() => done(close, 'Reads are no longer split from writes.')}
        />
      )}
      {isAsking && !isSplit && (
        <PlannedForm
          title="Split reads from writes"
          confirmLabel="Split"
          schema={ReadWriteSplit}
          except={['enabled']}
          text={{ writer_hostgroup: { label: 'Writes go to' }, reader_hostgroup: { label: 'Reads go to' } }}
          callOf={(body: ReadWriteSplit) => sqlproxy.setReadWriteSplit({ body: { ...body, enabled: true } })}
          onClose={close}
          onDone={() => done(close, 'Reads are split from writes.')}
        />
      )}
    </>
  )
}
