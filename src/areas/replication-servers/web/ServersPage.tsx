import { Button, Group, Switch, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { useState } from 'react'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { TextLink } from '../../../web/kit/LinkButton.tsx'
import { useLinkedDialog } from '../../../web/kit/linked-dialog.ts'
import { Moment } from '../../../web/kit/Moment.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { StateBadge } from '../../../web/kit/StateBadge.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { type ReplicationServer, ServerDraft, ServerEdit } from '../model.ts'
import { replicationServers } from './api.ts'
import { fields } from './fields.ts'
import { done, useServers, useServerTest, useToggle } from './queries.ts'

interface Asking {
  readonly what: 'edit' | 'delete'
  readonly server: ReplicationServer
}

interface Acts {
  readonly ask: (asking: Asking) => void
  readonly test: ReturnType<typeof useServerTest>
  readonly toggle: ReturnType<typeof useToggle>
}

const columnsOf = ({ ask, test, toggle }: Acts): readonly Column<ReplicationServer>[] => [
  {
    id: 'name',
    title: 'Server',
    value: ({ name }) => name,
    cell: ({ id, name, host, port }) => (
      <>
        <TextLink to={`/replication-servers/${id}`}>{name}</TextLink>
        <Text size="xs" c="dimmed" className="anywhere">
          {host}, port {port}
        </Text>
      </>
    ),
  },
  {
    id: 'enabled',
    title: 'Enabled',
    cell: ({ id, name, enabled }) => (
      <Switch
        checked={enabled}
        aria-label={`Enable ${name}`}
        onChange={(event) => toggle.mutate({ id, enabled: event.currentTarget.checked })}
      />
    ),
  },
  {
    id: 'status',
    title: 'State',
    value: ({ status }) => status,
    cell: ({ status, message }) => (
      <>
        <StateBadge state={status} />
        {message !== '' && (
          <Text size="xs" c="dimmed" className="anywhere">
            {message}
          </Text>
        )}
      </>
    ),
  },
  { id: 'pending', title: 'Waiting', value: ({ pending }) => pending, cell: ({ pending }) => pending },
  {
    id: 'check',
    title: 'Last test',
    cell: ({ last_check }) => (last_check === null ? '–' : <Moment time={last_check} />),
  },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (server) => (
      <Group gap={4} justify="flex-end">
        <Button
          size="xs"
          variant="default"
          loading={test.isPending && test.variables.id === server.id}
          aria-label={`Test ${server.name}`}
          onClick={() => test.mutate(server)}
        >
          Test
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={`Edit ${server.name}`}
          onClick={() => ask({ what: 'edit', server })}
        >
          Edit
        </Button>
        <CutOffButton
          size="xs"
          aria-label={`Delete ${server.name}`}
          onClick={() => ask({ what: 'delete', server })}
        >
          Delete
        </CutOffButton>
      </Group>
    ),
  },
]

/** The servers that repeat changes of this one, and dialogs that add, change and delete them. */
export function ServersPage() {
  const query = useServers()
  const page = useWholePage(query)
  const test = useServerTest()
  const toggle = useToggle()
  const [asking, ask] = useState<Asking>()
  const [isAdding, setAdding] = useLinkedDialog('create')
  const close = () => ask(undefined)
  return (
    <Page
      title="Replication servers"
      about="Other panels that repeat the changes of this one, by category."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
          Add a replication server
        </Button>
      }
    >
      <DataTable
        label="Replication servers"
        columns={columnsOf({ ask, test, toggle })}
        query={page}
        rowKey={({ id }) => id}
        empty={
          <Empty title="No replication servers yet">
            Add another panel, test it, and choose which changes it repeats.
          </Empty>
        }
      />
      {isAdding && (
        <PlannedForm
          title="Add a replication server"
          confirmLabel="Add"
          schema={ServerDraft}
          text={fields}
          callOf={(body: ServerDraft) => replicationServers.addServer({ body })}
          onClose={() => setAdding(false)}
          onDone={({ name }: ReplicationServer) =>
            done(() => setAdding(false), `${name} was added: test it, then choose its categories.`)
          }
        />
      )}
      {asking?.what === 'edit' && <EditDialog server={asking.server} onClose={close} />}
      {asking?.what === 'delete' && (
        <ChangeDialog
          title={`Delete ${asking.server.name}`}
          confirmLabel="Delete"
          call={replicationServers.deleteServer({ params: { id: asking.server.id } })}
          onClose={close}
          onDone={() => done(close, `${asking.server.name} was deleted.`)}
        />
      )}
    </Page>
  )
}

interface EditDialogProps {
  readonly server: ReplicationServer
  readonly onClose: () => void
}

function EditDialog({ server: { id, name, host, port, public_key }, onClose }: EditDialogProps) {
  return (
    <PlannedForm
      title={`Edit ${name}`}
      confirmLabel="Save"
      schema={ServerEdit}
      text={{ ...fields, api_key: { label: 'API key', hint: 'Empty: the key stays' } }}
      given={{ name, host, port, public_key }}
      sendsOnlyChanges
      callOf={(body: ServerEdit) => replicationServers.editServer({ params: { id }, body })}
      onClose={onClose}
      onDone={() => done(onClose, `${name} was changed.`)}
    />
  )
}
