import { Button, Card, Group, Modal, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { formatBytes, humanize } from '../../../web/kit/format.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { readAgain } from '../../../web/queries.ts'
import { type AddedRule, type FirewallRule, FirewallRuleDraft, type FirewallStatus } from '../model.ts'
import { firewall } from './api.ts'
import { FirewallFrame } from './FirewallFrame.tsx'
import { addRule, useRules } from './queries.ts'

/** The rules of the firewall in their order, and the ports that are open without one. */
export function RulesPage() {
  const [isAdding, setAdding] = useState(false)
  return (
    <FirewallFrame
      actions={
        <Button variant="default" onClick={() => setAdding(true)}>
          Add rule
        </Button>
      }
    >
      {(status) => (
        <Stack gap="md">
          <Rules />
          <Opened opened={status.opened} />
          {isAdding && <AddRule onClose={() => setAdding(false)} />}
        </Stack>
      )}
    </FirewallFrame>
  )
}

const all = (values: readonly string[]) => (values.length === 0 ? 'All' : values.join(', '))

const columns: Column<FirewallRule>[] = [
  { id: 'position', title: '#', value: ({ position }) => position, cell: ({ position }) => position },
  {
    id: 'action',
    title: 'Action',
    cell: ({ action, rate }) => (rate === null ? humanize(action) : `Limit ${rate}`),
  },
  { id: 'protocol', title: 'Protocol', cell: ({ protocol }) => protocol.toUpperCase() },
  { id: 'ports', title: 'Ports', cell: ({ ports }) => all(ports) },
  {
    id: 'sources',
    title: 'Sources',
    cell: ({ sources, family }) => (
      <Text size="sm" className="anywhere">
        {sources.length === 0 && family !== 'any' ? `All ${family}` : all(sources)}
      </Text>
    ),
  },
  {
    id: 'matched',
    title: 'Matched',
    cell: ({ packets, bytes }) =>
      packets === null ? '–' : `${packets.toLocaleString()} packets, ${formatBytes(bytes ?? 0)}`,
  },
  { id: 'comment', title: 'Comment', cell: ({ comment }) => comment },
]

function Rules() {
  const query = useRules()
  const [deleting, setDeleting] = useState<FirewallRule>()
  const withActions: Column<FirewallRule>[] = [
    ...columns,
    {
      id: 'actions',
      title: 'Actions',
      cell: (rule) => (
        <Button size="xs" variant="subtle" color="red" onClick={() => setDeleting(rule)}>
          Delete
        </Button>
      ),
    },
  ]
  return (
    <>
      <DataTable
        label="Rules"
        columns={withActions}
        query={useWholePage(query)}
        rowKey={({ id }) => id}
        empty={<Empty title="No rules yet" />}
      />
      {deleting && (
        <ChangeDialog
          title={`Delete rule ${deleting.position}`}
          confirmLabel="Delete"
          call={firewall.deleteFirewallRule({ params: { id: deleting.id } })}
          onClose={() => setDeleting(undefined)}
          onDone={() => {
            setDeleting(undefined)
            return readAgain('firewall')
          }}
        />
      )}
    </>
  )
}

const text = {
  action: { label: 'Action', hint: 'Deny drops silently, reject answers with an error' },
  ports: { label: 'Ports', hint: 'Such as 443 or 8000-8100; empty for all' },
  sources: { label: 'Sources', hint: 'Addresses or networks; empty for all' },
  family: { label: 'IP version' },
  rate: { label: 'Rate', hint: 'For Limit, such as 10/minute' },
  position: { label: 'Position', hint: 'Empty for the last' },
  comment: { label: 'Comment' },
} as const

function AddRule({ onClose }: { readonly onClose: () => void }) {
  const save = async (body: FirewallRuleDraft) => {
    const added: AddedRule = await addRule(body)
    onClose()
    if (added.change_id === null) notify('The rule was added.')
    await readAgain('firewall')
  }
  return (
    <Modal opened onClose={onClose} title="Add rule" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <SchemaForm
        schema={FirewallRuleDraft}
        text={text}
        upFront={['action', 'protocol', 'ports', 'sources', 'comment']}
        submitLabel="Add rule"
        reviewOf={(body) => firewall.addFirewallRule({ body })}
        onCancel={onClose}
        onSubmit={save}
      />
    </Modal>
  )
}

function Opened({ opened }: Pick<FirewallStatus, 'opened'>) {
  return (
    <Card withBorder radius="lg" p="lg">
      <Title order={2} size="h4" mb="md">
        Open without a rule
      </Title>
      <Stack gap={4}>
        {opened.map(({ port, protocol, name, reason }) => (
          <Group key={`${protocol} ${port}`} gap="xs">
            <Text size="sm" ff="monospace">
              {port}/{protocol}
            </Text>
            <Text size="sm">
              {name}: {reason}
            </Text>
          </Group>
        ))}
      </Stack>
    </Card>
  )
}
